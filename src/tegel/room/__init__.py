"""A room as a value: how it begins, its log, what the log makes of it, and who may do what.
Nothing here has a socket, a database or a clock.

- `setup`: which game, who may sit where, what guests are called; `lookalikes`: which names look
  alike; `clock`, `stopwatch`: what time there is;
- `log`: the rows, each a move or an event; `room`: the fold of the log; `result`: how it ended,
  `ending`: what is kept of it; `replays`: states of long records;
- `keys`: under which thoughts about positions and games are stored;
- `fairness`: which positions are the same, where help would be unfair;
- `actions`: what a player can do; `judge`: who may do what, and which rows that writes;
- `refused`: what is not done, in a sentence."""
