"""The place: everything that happens around a game, as services that know no HTTP, no process and
no clock of their own. A host gives them what `ports` names, and a store: the file `store` of a
folder says what its services ask of storage.

Each part imports only those above it in this list, which the import test checks:

- `ports`: what a host gives; `bus`: news between workers; `steady_clock`, `heartbeat`: one time
  for all workers, and which of them are alive;
- `wire`: what is sent. `messages` (of the sockets of rooms), `responses` (of HTTP); by subject
  `personal`, `pairing`, `studies`, `moments`; `views` (a room as data), `trees` (of
  moves), `copies` (of what games give), `text` (that can be kept);
- `limits`: by player and by network. `limits` (how much of what, and prices), `buckets` (what is
  left), `rates` (of a worker), `networks` (which addresses share limits);
- `tasks`: long computations, which run in the host's queues. `tasks`, `thinking` (for studies),
  `study_trees`, `nearness` (to running games);
- `rooms`: the rooms that are open. `house` (the one door to them), `live_room`, `opening`, `rows`
  (stored first, then shown), `append` and `room_row` (what is stored), `broadcast` (what watchers
  are told), `presence` (who is here), `rest` (rooms that must rest), `scheduler` (bots and flags),
  `backlog` (old endings), `background` (work that nobody waits for);
- `accounts`: who somebody is. `accounts`, `handles`, `reservations`, `names` (what players are
  called); `identity`, `sessions`, `tokens`, `standing` (who may act); `passkeys`, `device_links`,
  `once` (what works once); `moving` (what a guest played), `leaving`, `sealed_network`, `people`
  (all of them put together);
- `history`: `history` (finished games), `ratings`, `skill` (their arithmetic), `profiles`;
- `safety`: `fairness` (who gets no help), `blocks`, `reports` (of players);
- `pairing`: `pairing` (people who look for somebody), `matching` (who plays whom), `no_shows`;
- `push`: messages to people who are away. `push`, `push_address`, `device`;
- `programs`: streams for bots;
- `studies`: `studies` (trees of moves), `analyses` (live lines), `reports` (on games), `turns`
  (who thinks first);
- `moments`: find the move; `records`: games that people bring; `puzzles`: for one;
- `days`: which day it is, and how everybody did on one; `retention`: what is forgotten in time;
  `sweep`: what is done again and again;
- `lobby`: what people do with rooms, and what they pay."""
