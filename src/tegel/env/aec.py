"""The games for PettingZoo: agents in turn (AEC), with action masks.

    from tegel.env import aec

    env = aec.env("blokus", "duo", render_mode="ansi")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        mask = observation["action_mask"]
        env.step(None if terminated else env.action_space(agent).sample(mask))

An observation has `observation`, the planes, `scalars`, and `action_mask`, which is empty for
whoever is not to move: they see what the mover sees. A finished game is seen as nothing. Chance is
no agent: draws are made between steps, by the seed of `reset`."""

import io
import random
from operator import index
from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import Error, InvalidAction
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"PettingZoo's games need {error.name}: pip install 'tegel[env]'", name=error.name
    ) from None

from tegel import games
from tegel.env.sight import Sight, rewards, sight, sizes
from tegel.game import CHANCE, Move, State, game_of
from tegel.search.chance import draw

MODES = ("ansi", "svg", "rgb_array")
WIDTH = 700  # pixels of a picture
Observation = dict[str, np.ndarray[Any, Any]]


def env(
    game: str = "blokus", variant: str = "", render_mode: str | None = None, **options: str
) -> Any:
    """A game as an environment that refuses to be stepped before it is reset."""
    return wrappers.OrderEnforcingWrapper(raw_env(game, variant, render_mode, **options))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801, as PettingZoo wants it
    """A game as an environment; an action that is not legal is `InvalidAction`, and changes
    nothing."""

    metadata = {  # noqa: RUF012
        "name": "tegel_v0",  # that of an environment has its game and variant, too
        "render_modes": list(MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str = "blokus",
        variant: str = "",
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            known = ", ".join(MODES)
            raise ValueError(f"no such render_mode: {render_mode!r}; there are {known}")
        self.render_mode = render_mode
        self.state_of_game: State[Move] = games.load(game).start(variant, **options)
        variant = self.state_of_game.rules.variant
        self.metadata = {**self.metadata, "name": f"tegel_{game}_{variant}_v0"}
        self.rng = random.Random()
        self.sizes = sizes(self.state_of_game)
        self.possible_agents = [f"player_{seat}" for seat in range(len(self.state_of_game.scores))]
        channels, height, width = self.sizes.planes
        observed = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (channels, height, width), np.uint8),
                "scalars": spaces.Box(-np.inf, np.inf, (self.sizes.scalars,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.sizes.actions,), np.int8),
            }
        )
        self._observed = dict.fromkeys(self.possible_agents, observed)
        self._spaces = {
            agent: spaces.Discrete(self.sizes.actions) for agent in self.possible_agents
        }
        self._seen: Sight[Move] | None = None

    def observation_space(self, agent: str) -> Any:
        """What an agent may see."""
        return self._observed[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may do, in some position."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; draws follow from the seed, or go on from the last one."""
        if seed is not None:
            try:
                self.rng = random.Random(index(seed))
            except TypeError:
                raise Error(f"a seed is a whole number, not {seed!r}") from None
        game = game_of(self.state_of_game)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on(game.begin(self.state_of_game.rules))

    def step(self, action: int | None) -> None:
        """Make the action of the agent whose turn it is; None where the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not isinstance(action, int | np.integer):
            raise InvalidAction(f"an action is a whole number, not {action!r}")
        move = self._sight().moves.get(int(action))
        if move is None:
            raise InvalidAction(f"action {int(action)} is not legal here: see action_mask")
        self._cumulative_rewards[agent] = 0.0
        self._go_on(self.state_of_game.play(move))
        self._accumulate_rewards()

    def _go_on(self, state: State[Move]) -> None:
        """Come to where somebody is to move, or to the end."""
        while state.turn == CHANCE and not state.outcome:
            state = state.play(draw(state, self.rng))
        self.state_of_game, self._seen = state, None
        if state.outcome:
            self.rewards = dict(zip(self.agents, rewards(state), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        for agent, score in zip(self.agents, state.scores, strict=True):
            self.infos[agent] = {"score": score}
        self.agent_selection = self.possible_agents[max(0, state.turn)]

    def _sight(self) -> Sight[Move]:
        if not self._seen:
            self._seen = sight(self.state_of_game)
        return self._seen

    def observe(self, agent: str) -> Observation:
        """The position as who moves sees it, and to the agent that moves its mask."""
        mask = np.zeros(self.sizes.actions, np.int8)
        if self.state_of_game.outcome:
            planes = np.zeros(self.sizes.planes, np.uint8)
            return {
                "observation": planes,
                "scalars": np.zeros(self.sizes.scalars, np.float32),
                "action_mask": mask,
            }
        seen = self._sight()
        if agent == self.agent_selection:
            mask[list(seen.moves)] = 1
        return {  # copies, which whoever gets them may change
            "observation": seen.planes.copy(),
            "scalars": seen.scalars.copy(),
            "action_mask": mask,
        }

    def render(self) -> Any:
        """The position as text, as an SVG document, or as pixels (rows, columns, RGB)."""
        game = game_of(self.state_of_game)
        match self.render_mode:
            case "ansi":
                return str(game.text(self.state_of_game))
            case "svg":
                return game.picture(self.state_of_game).svg()
            case "rgb_array":
                return _pixels(game.picture(self.state_of_game).svg())
        raise ValueError("say how to draw when the environment is made: render_mode='ansi'")

    def close(self) -> None:
        """There is nothing to close."""


def _pixels(svg: str) -> Any:
    try:
        import resvg_py
        from PIL import Image
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"to draw pixels takes {error.name}: pip install 'tegel[env]'", name=error.name
        ) from None
    png = resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff")
    return np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGB"))
