"""The server: rooms in which people and bots play over the network, and their storage.

From the pure to the wired: `setup` and `room` (a room is the fold of its log), `judge`
(who may do what), `views` (a position as data), `wire` (the messages); `store` (the log on
disk), `bus` (other workers), `pool` (what takes long); `house` (the rooms that are open
here), `keeper` (bots, flags), `live` (sockets), `app` and `routes` (HTTP), `run`."""
