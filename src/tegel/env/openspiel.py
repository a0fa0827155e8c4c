"""The games for OpenSpiel: to import this registers every variant, as `tegel_blokus_duo`.

    import pyspiel
    import tegel.env.openspiel

    game = pyspiel.load_game("tegel_blokus_two(corners=fixed)")
    state = game.new_initial_state()

Options of the rules are parameters of the game. Chance is a player: its outcomes are numbered in
the order of the law's odds. The observation tensor is the planes, then the scalars, as who moves
sees them, for every player; a chance node or a finished game is seen as nothing."""

from typing import Any

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"OpenSpiel's games need {error.name}: pip install 'tegel[openspiel]'", name=error.name
    ) from None

from tegel import games
from tegel.env.sight import Sight, rewards, sight, sizes
from tegel.game import CHANCE, AnyGame, Move

OUTCOMES = 1_024  # of chance: more than any draw has


def name(game: str, variant: str) -> str:
    """The name under which a variant is registered."""
    return f"tegel_{game}_{variant}"


def kind(game: AnyGame, variant: str) -> Any:
    """What OpenSpiel is told of a variant."""
    start = game.start(variant)
    seats = len(start.scores)
    return pyspiel.GameType(
        short_name=name(game.name, variant),
        long_name=f"{game.name.capitalize()}, {variant}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=(
            pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
            if start.turn == CHANCE
            else pyspiel.GameType.ChanceMode.DETERMINISTIC
        ),
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            key: str(getattr(start.rules, key)) for key in game.options_of(variant)
        },
    )


class TegelGame(pyspiel.Game):  # type: ignore[misc]
    """A variant of a game."""

    game: AnyGame
    variant: str
    type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {key: str(value) for key, value in (params or {}).items()}
        try:
            self.start = self.game.start(self.variant, **chosen)
        except ValueError as error:
            raise pyspiel.SpielError(str(error)) from None
        self.sizes = sizes(self.start)
        super().__init__(
            self.type,
            pyspiel.GameInfo(
                num_distinct_actions=self.sizes.actions,
                max_chance_outcomes=OUTCOMES,
                num_players=len(self.start.scores),
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.game.longest,
            ),
            chosen,
        )

    def new_initial_state(self) -> "TegelState":
        """Where a game begins."""
        return TegelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":  # noqa: ARG002
        """What looks at positions of this variant."""
        return Observer(self.sizes.planes, self.sizes.scalars)


class TegelState(pyspiel.State):  # type: ignore[misc]
    """A position of a game."""

    def __init__(self, game: TegelGame) -> None:
        super().__init__(game)
        self.position = game.start
        self.seen: Sight[Move] | None = None

    def sight(self) -> Sight[Move]:
        """What who moves sees, and the legal moves by their numbers."""
        if self.seen is None:
            self.seen = sight(self.position)
        return self.seen

    def current_player(self) -> int:
        """The seat that decides, or OpenSpiel's number for chance or the end."""
        if self.position.outcome:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.position.turn == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.position.turn)

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return sorted(self.sight().moves)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What may be drawn, by its number, with its odds."""
        return list(enumerate(self.position.odds().values()))

    def _move(self, action: int) -> Move | None:
        """The move of a number; None if it is not legal here."""
        if self.position.outcome:
            return None
        if self.position.turn == CHANCE:
            return dict(enumerate(self.position.odds())).get(action)
        return self.sight().moves.get(action)

    def _apply_action(self, action: int) -> None:
        move = self._move(action)
        if move is None:
            over = ": the game is over" if self.position.outcome else ""
            raise pyspiel.SpielError(f"action {action} is not legal here{over}")
        self.position, self.seen = self.position.play(move), None

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        move = self._move(action)
        return f"action {action}, not legal here" if move is None else str(move)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        """What the end is worth to each seat; nothing before."""
        return rewards(self.position)

    def __str__(self) -> str:
        return str(self.position)


class Observer:
    """What a position looks like: the planes and the scalars, in one row of numbers."""

    def __init__(self, planes: tuple[int, int, int], scalars: int) -> None:
        size = int(np.prod(planes))
        self.tensor = np.zeros(size + scalars, np.float32)
        self.dict = {
            "planes": self.tensor[:size].reshape(planes),
            "scalars": self.tensor[size:],
        }

    def set_from(self, state: TegelState, player: int) -> None:  # noqa: ARG002
        """Look at a position: whoever looks sees what the mover sees."""
        self.tensor.fill(0)
        if state.current_player() >= 0:
            seen = state.sight()
            self.dict["planes"][:] = seen.planes
            self.dict["scalars"][:] = seen.scalars

    def string_from(self, state: TegelState, player: int) -> str:  # noqa: ARG002
        """The position as text."""
        return str(state)


def register() -> None:
    """Make every variant of every game known to OpenSpiel."""
    known = set(pyspiel.registered_names())
    for game_name in games.names():
        game = games.load(game_name)
        for variant in game.variants:
            if name(game_name, variant) not in known:
                values = {"game": game, "variant": variant, "type": kind(game, variant)}
                made = type(f"{game_name.capitalize()}{variant.capitalize()}", (TegelGame,), values)
                pyspiel.register_game(values["type"], made)


register()
