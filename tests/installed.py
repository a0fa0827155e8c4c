"""Run by hand or by what builds wheels, in an environment that has the package and nothing else:
plays every game with the compiled parts. Prints what it did; fails where something is missing."""

from importlib import resources

import tegel
from tegel import games, solver
from tegel.search import kernel


def main() -> None:
    assert "site-packages" in str(games.__file__), games.__file__
    assert (resources.files("tegel") / "py.typed").is_file()
    assert solver.COMPILED, "the solver was not compiled"
    assert set(games.names()) <= kernel.GAMES, "the engine was not compiled"
    for name in games.names():
        game = tegel.load(name)
        state = game.start()
        bot = tegel.bot(3, seed=1)
        for _ in range(60):
            if not state.outcome:
                state = state.play(bot(state))
        assert game.picture(state).svg().startswith("<svg")
        assert games.page(name)
        assert games.page(name, "nl")
        print(name, state.scores)
    assert tegel.solve("tetra-8x10")
    print(f"tegel {tegel.__version__} plays")


if __name__ == "__main__":
    main()
