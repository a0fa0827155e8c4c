"""The place: everything that happens around a game, as services that know no HTTP, no process and
no clock of their own. A host gives them what `ports` names, and a store.

Each part imports only those above it in this list, which the import test checks:

- `ports`: what a host gives; `bus`: news between workers; `steady_clock`, `heartbeat`: one time
  for all workers, and which of them are alive;
- `wire`: the messages of sockets and the answers of HTTP, and rooms and studies made into them;
- `limits`: rate limits and budgets, by player and by network;
- `tasks`: long computations, which run in the host's queues;
- `rooms`: the rooms that are open, and the one door to them;
- `accounts`: who somebody is; names, passkeys, signing in, leaving;
- `history`: finished games, ratings, profiles; `safety`: fair play, blocks, reports;
- `pairing`: people who look for somebody; `push`: messages to people who are away;
  `programs`: streams for bots;
- `studies`: trees of moves, live lines, reports; `moments`: find the move; `puzzles`: for one;
  `records`: games that people bring;
- `lobby`: what people do with rooms, and what they pay; `days`: which day it is, and how everybody
  did on one; `sweep`: what is done again and again;
  `retention`: what is forgotten in time."""
