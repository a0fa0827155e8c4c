"""A whole cluster in one process: several workers, one store, one bus, people, programs and bots,
on an event loop with virtual time and one seed.

- `loop`: virtual time, and tasks that die with their worker;
- `ports`: clocks, chance, the bus and long work, simulated; `store`: the real SQL in memory;
- `faults`: what goes wrong in a run, drawn from its seed;
- `cluster`: workers that crash and come back; `window`: a person's connection to one of them;
- `people`: who plays, looks for somebody, leaves and comes back;
- `run`: one seed from beginning to end, and what must hold afterwards (`checks`).

`python -m universe SEED` replays a seed and prints its history."""
