"""Environments: the games as programs of the field expect them.

- `tegel.env.batch`: thousands of games at once over NumPy arrays, `pip install 'tegel[net]'`;
- `tegel.env.gpu`: the same over PyTorch's tensors, for games that bring it, as Blokus does,
  `pip install 'tegel[train]'`;
- `tegel.env.aec` for PettingZoo, `pip install 'tegel[env]'`;
- `tegel.env.openspiel` for OpenSpiel, `pip install 'tegel[openspiel]'`.

All show and number the same: what a game's `planes` say. A position is **planes**, bytes by
channel, row and column, and **scalars**, some more numbers, both as who moves sees them; an
**action** is the number of a move, and says in every position of a variant the same.

**Rewards** come at the end: 1 to the side that wins and -1 to one that loses against one other;
among n sides a share s of the win is worth (n s - 1) / (n - 1), so that they sum to nothing."""
