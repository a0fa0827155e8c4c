"""Many games at once: steps a second on one core, with observation and mask.

    python bench/batch.py [--seconds 2] [--games 64] [--game GAME] [--peers]

Random legal play, every game begun anew when it ends. Seconds are those of this process on all its
threads, the best of five runs, so that a busy machine does less harm. `legal` is how many actions
were listed a step, `listed/s` how many a second: the larger a game, the more there is to say of
each of its positions.

With --peers the same of games of similar size elsewhere: Pgx on a CPU (all in one compiled step),
and OpenSpiel's games in C++ through its `vector_env` in Python. They are installed from PyPI into a
virtual environment of their own, `build/peers`, the first time."""

import argparse
import os
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

RUNS = 5
PEERS = Path(__file__).parent.parent / "build" / "peers"
NEEDS = ("jax", "pgx", "open_spiel")
PGX = ("othello", "hex", "go_9x9", "chess", "go_19x19")
OPENSPIEL = ("othello", "hex(board_size=11)", "go(board_size=9)", "chess", "go(board_size=19)")
TABLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("blokus", "duo", {}),
    ("blokus", "two", {}),
    ("blokus", "classic", {}),
    ("imago", "imago", {}),
    ("tantrix", "two", {}),
    ("tantrix", "four", {}),
    ("forma", "two", {"layout": "random"}),
    ("forma", "four", {"layout": "random"}),
)

Play = Callable[[], int]  # some steps in all games; how many actions were legal in all of them


def measured(name: str, steps: int, play: Play, seconds: float) -> None:
    """Tells how fast `play` is, which makes so many steps in all games together."""
    play()
    best, listed = 0.0, 0.0
    for _ in range(RUNS):
        began, done, legal = time.process_time(), 0, 0
        while (spent := time.process_time() - began) < seconds / RUNS or not done:
            legal += play()
            done += steps
        spent = time.process_time() - began
        if done / spent > best:
            best, listed = done / spent, legal / done
    print(f"{name:28} {best:>12,.0f} {listed:>9.1f} {best * listed:>14,.0f}", flush=True)


def ours(game: str, variant: str, options: dict[str, Any], count: int) -> Play:
    from tegel.env.batch import Batch

    batch = Batch(game, variant, count, **options)
    batch.reset(1)
    for _ in range(200):  # until games are at all stages
        batch.step(batch.sample())

    def play() -> int:
        for _ in range(20):
            batch.step(batch.sample())
        return int(batch.legal()[0][-1]) * 20

    return play


def pgx(name: str, count: int) -> Play:
    import jax
    import pgx as peer
    from pgx.experimental import auto_reset

    env = peer.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def some(carried: Any, _: None) -> Any:
        state, key = carried
        key, lot, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(lot, logits, axis=1)
        state = step(state, action, jax.random.split(chance, count))
        return (state, key), (state.legal_action_mask.sum(), state.observation.sum())

    run = jax.jit(lambda carried: jax.lax.scan(some, carried, None, 20))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), count))
    carried = (state, jax.random.PRNGKey(1))

    def play() -> int:
        nonlocal carried
        carried, (legal, _) = run(carried)
        return int(legal.sum())

    return play


def openspiel(name: str, count: int) -> Play:
    import random

    from open_spiel.python import rl_environment, vector_env

    envs = vector_env.SyncVectorEnv([rl_environment.Environment(name) for _ in range(count)])
    times, rng = envs.reset(), random.Random(1)

    class Output:  # what vector_env wants of an agent
        def __init__(self, action: int) -> None:
            self.action = action

    def play() -> int:
        nonlocal times
        legal = 0
        for _ in range(20):
            actions = []
            for one in times:
                moves = one.observations["legal_actions"][one.observations["current_player"]]
                legal += len(moves)
                actions.append(Output(rng.choice(moves)))
            times, _, _, _ = envs.step(actions, reset_if_done=True)
        return legal

    return play


def peers(kind: str, count: int) -> Iterator[tuple[str, Play]]:
    """In the other environment: its games."""
    for name in PGX if kind == "pgx" else OPENSPIEL:
        yield f"{kind} {name}", (pgx if kind == "pgx" else openspiel)(name, count)


def elsewhere(seconds: float, count: int) -> None:
    python = PEERS / "bin" / "python"
    if not python.exists():
        venv.create(PEERS, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *NEEDS], check=True)
    alone = {
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "JAX_PLATFORMS": "cpu",
    }
    for kind in ("pgx", "openspiel"):
        subprocess.run(
            [python, __file__, "--peer", kind, "--seconds", str(seconds), "--games", str(count)],
            env={**os.environ, **alone},
            check=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--game", default="")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--peer", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.peer:
        for name, play in peers(asked.peer, asked.games):
            measured(name, 20 * asked.games, play, asked.seconds)
        sys.exit()
    print(f"{'':28} {'steps/s':>12} {'legal':>9} {'listed/s':>14}")
    for game, variant, options in TABLES:
        if asked.game in ("", game):
            play = ours(game, variant, options, asked.games)
            measured(f"tegel {game} {variant}", 20 * asked.games, play, asked.seconds)
    if asked.peers:
        elsewhere(asked.seconds, asked.games)


if __name__ == "__main__":
    main()
