"""The server: a host for the services of `tegel.place`, over HTTP and sockets. Each part imports
only those above it in this list, which the import test checks.

- `settings`: what a host can set; `secret`: the secrets of a server, given or made once; `world`,
  `metrics`, `process`: time, chance, counters and the process, as services ask for them;
- `storage`: databases, and the answers to what services ask of their stores, all in `stores`.
  `storage` (one writer that batches, and readers), `database` (SQLite and PostgreSQL),
  `transaction` (what is written together), `tables`, `migrations`, `dialect`; `rooms`, `endings`,
  `history`, `ratings`, `pairing`, `safety`, `push`, `studies`, `moments`, `thoughts`, `records`,
  `heartbeat`; `accounts`, `standing`, `passkeys`, `reservations`, `moving`, `leaving` (people),
  `redaction` (their names taken out of logs); `retention` (what is old is deleted), `backup`,
  `database_file`, `first_use`;
- `compute`: `pools` (processes for what takes long, by purpose), `pool` and `solvers` (how they
  work), `turns` (who is next), `process`, `cache` (of what was drawn);
- `redis_bus`: news between workers, if there are several; `push_service`: web push; `health`:
  whether a worker can do its work;
- `hosting`: what a host does from the command line. `host` (about people), `agreement` (of moves
  with the engine's), `recompute` (ratings from the logs);
- `ports`: what a host gives to a worker, and what this machine gives; `worker`: all services of
  one worker put together;
- `web`: `transport` (connections that stand still are cut off), `gate` (what every request
  passes), `services` (what a route may ask for), `cookies` (who a browser is), `routes` (HTTP by
  subject), `conversation` (what all sockets share), `sockets` (of rooms), `searches` (of who looks
  for a player), `studying` (of who looks into a study), `schema` (the description of it all),
  `page` (the browser's files), `documentation`, `app`;
- `start`: when it serves, or why it can't; `run`: `tegel serve`; `check`: whether it would.

A move from a browser: `web.sockets` hears it, `tegel.place.lobby` and `tegel.place.rooms.house`
have `tegel.room.judge` judge it, `storage.storage` writes it, and `tegel.place.rooms.broadcast`
tells everybody. CONTRIBUTING.md draws the whole way."""
