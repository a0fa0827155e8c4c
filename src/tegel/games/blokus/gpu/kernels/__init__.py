"""What `boards` does, written for Triton: a game is a lane, its boards are words in registers.

All placements of a form are the AND of its shifts of the free squares and the OR of its shifts of
the open ones, as in the law, for 32 squares at a time. Boards lie in memory by colour, frame, word
and game, so that neighbouring lanes read neighbouring words.

Triton takes values that a loop carries for equal if they begin as the same constant and one
becomes the other: a loop here loads such values again, or adds to them first."""
