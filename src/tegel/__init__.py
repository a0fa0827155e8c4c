"""Tegel: play, study and solve Blokus, Forma, Tantrix and Imago.

>>> from tegel import games
>>> game = games.load("blokus")
>>> state = game.start("duo")
>>> state = state.play(game.parse("F.0@d9"))
>>> state.scores
(-84, -89)
"""

# Whatever part is imported, the games are found, and so are their words.
from tegel import games

__all__ = ["games"]
