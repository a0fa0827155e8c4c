"""The server: rooms in which people and bots play over the network. Each floor imports only
those above it in this list, which the import test checks; the rooms themselves, as values, are
`tegel.room`.

- `metrics`, `networks` (which addresses share limits), `buckets` (rates and counts by network),
  `limits`, `settings`: what is counted, allowed, set;
- `wire`: `messages` of the socket, `pairing` (those of searches), `studies` (those of studies),
  `moments`, `responses` of HTTP, `personal` (those about people), `copies` of what games give,
  `views` that make rooms into them, `trees` (the same of studies), `replays` (states of long
  records, kept);
- `storage`: `store` (the log on disk, one writer), `transaction`, `room_row` (a room as a row),
  `endings` (a game that is over as rows), `ratings` (written with them, in one order),
  `thoughts` (of positions and games, kept), `moments` (who tried which), `backup`, `redaction`,
  `database_file` (its mode and its health), `first_use`, `tables`, `migrations`;
- `workers`: `heartbeat` (which are alive), `bus` (what they tell each other), `redis_bus` (how, if
  there are several), `health`, `steady_clock`;
- `compute`: `pools` (processes for what takes long, by purpose), `pool` and `solvers` (how they
  work), `turns` (who is next), `tasks` (what they do), `thinking` (the same for analyses),
  `nearness` (whether a position is near a running game), `cache` (of what was drawn);
- `rooms`: `house` (the rooms open here and the one door to them), `live_room`, `broadcast`
  (what watchers are told), `presence` (who is here), `scheduler` (bots think, flags fall),
  `backlog` (endings of games that were over before they were kept), `background`;
- `people`: `identity` (cookies, tokens, seals), `sealed_network` (networks as they are stored),
  `handles` (names that nobody else has), `reservations` (which nobody can have for a while),
  `accounts` (who keeps one), `once` (what may be used once), `passkeys`, `moving` (what a guest
  played comes along), `standing` (ended cookies and bans), `leaving` (export, deletion), `blocks`,
  `reports`, `host` (what a host does), `agreement`
  (moves beside the engine's), `fairness` (no help while a game is running), `history`
  (finished games, found and summed up), `ratings` (what is shown of them), `recompute` (the same
  from the logs), `profiles` (what people show), `matching` (who plays whom), `no_shows` (who did
  not come), `wishes` (those who look, as rows), `pairing` (what is done for them), `programs`
  (streams for bots), `push` (what people who are away are told), `push_service` (how),
  `push_address` (where to), `device`;
- `studies`: `studies` (those open here and the door to them), `analyses` (thinking for who
  listens), `reports` (on whole games: jobs that outlive a worker), `moments` (positions in which
  one must find the move);
- `worker`: all of it put together;
- `web`: `transport` (connections that stand still are cut off), `gate` (what every request
  passes), `routes` (HTTP by subject), `conversation` (what all sockets share), `sockets` (of
  rooms), `searches` (of who looks for a player), `studying` (of who looks into a study), `schema`
  (the description of it all), `page` (the browser's files), `app`;
- `start`: when it serves, or why it can't; `run`: `tegel serve`; `check`: whether it would.

A move from a browser: `web.sockets` reads it, `rooms.house` has `room.judge` judge it,
`storage.store` writes it, `rooms.broadcast` tells everybody with what `wire.views` makes."""
