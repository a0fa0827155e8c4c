"""The games: their variants, words, sprites and rule pages."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from tegel import games
from tegel.game import AnyGame, Start
from tegel.picture import PAINTS, Sprite
from tegel.place.wire import copies, responses
from tegel.room.refused import Refused
from tegel.server.web import services
from tegel.server.web.routes import answer, gives
from tegel.sheets import AVAILABLE, called, kinds
from tegel.solver.tasks import DAILY
from tegel.words import languages, package, words

router = APIRouter(tags=["games"])
Language = Annotated[str, Query(pattern="^[a-z]{2}$", description="As in `nl`; else English.")]
Theme = Annotated[Literal["light", "dark"], Query()]
SVG: dict[int | str, dict[str, Any]] = {
    200: {"content": {"image/svg+xml": {}}, "description": "A picture."}
}
CACHED = {"cache-control": "public, max-age=3600"}


class Wished:
    """How somebody would like a picture."""

    def __init__(
        self, language: Language = "en", theme: Theme = "light", patterns: bool = False
    ) -> None:
        self.language, self.theme, self.patterns = language, theme, patterns

    def of(self, game: str) -> tuple[str, str, bool]:
        """The same for a game, in a language that it speaks."""
        return spoken(game, self.language), self.theme, self.patterns


Look = Annotated[Wished, Depends()]


def drawn(svg: str | bytes) -> Response:
    return Response(svg, media_type="image/svg+xml")


@router.get("/api/games", **gives(list[responses.GameInfo], what="Every game, with its words."))
async def list_games(language: Language = "en") -> Response:
    return answer([_info(name, spoken(name, language)) for name in games.names()], headers=CACHED)


@router.get("/api/games/{game}", **gives(responses.GameInfo))
async def show_game(game: str, language: Language = "en") -> Response:
    return answer(_info(known(game), spoken(game, language)), headers=CACHED)


@router.get(
    "/api/games/{game}/sprites",
    **gives(responses.Sprites, what="The drawings that marks refer to, and the colours."),
)
async def show_sprites(game: str) -> Response:
    return answer(_sprites(known(game)), headers=CACHED)


@router.get(
    "/api/games/{game}/rules",
    response_class=Response,
    responses={200: {"content": {"text/markdown": {}}, "description": "The rules."}},
)
async def show_rules(game: str, language: Language = "en") -> Response:
    return Response(games.page(known(game), spoken(game, language)), media_type="text/markdown")


@router.get("/api/games/{game}/pictures/{name}.svg", response_class=Response, responses=SVG)
async def show_picture(
    game: str, name: str, queues: services.Queues, language: Language = "en", theme: Theme = "light"
) -> Response:
    """A picture of the rule page."""
    svg = await queues.aside(_picture, known(game), name, spoken(game, language), theme)
    return Response(svg, media_type="image/svg+xml", headers=CACHED)


@cache
def _picture(game: str, name: str, language: str, theme: str) -> str:
    folder = resources.files(package(game)) / "pictures"
    if re.fullmatch(r"[a-z0-9_-]+", name) and (file := folder / f"{name}.txt").is_file():
        return games.shown(file.read_text("utf-8"), language).svg(theme=theme)
    raise Refused("missing", "There is no such picture.")


def known(game: str) -> str:
    if game not in games.every():
        raise Refused("missing", f"There is no such game; there are {', '.join(games.names())}.")
    return game


def spoken(game: str, language: str) -> str:
    """The language to speak: the one asked for, if the game has words in it."""
    return language if language in languages(game) else "en"


@cache
def _info(name: str, language: str) -> responses.GameInfo:
    game = games.load(name)
    variants = [
        responses.Variant(
            variant,
            len(game.start(variant).scores),
            {
                key: tuple(sorted(option.values, key=lambda v: v != getattr(rules, key)))
                for key, option in game.options_of(variant).items()
            },
        )
        for variant, rules in game.variants.items()
    ]
    return responses.GameInfo(
        name,
        language,
        languages(name),
        words(name, language),
        game.placing,
        variants,
        game.quick,
        [copies.start(start) for start in starts(game)],
        game.solo is not None,
        next(
            (
                responses.Own(option.variants[0], key)
                for key, option in game.options.items()
                if option.open and option.variants
            ),
            None,
        ),
        _prints(name, language),
    )


def starts(game: AnyGame) -> Sequence[Start]:
    """What the card of a game offers; where it does not say, every variant."""
    if game.card or game.solo:
        return game.card
    return [
        Start(key, key, {k: v for k, v in game.quick.items() if k in game.options_of(key)})
        for key in game.variants
    ]


def _prints(name: str, language: str) -> list[responses.Print]:
    """What there is to print of a game: of variants with the same material, the first; where
    there is a puzzle for every day, today's."""
    if not AVAILABLE:
        return []
    game, said = games.load(name), words(name, language)["variants"]
    today = [responses.Print(DAILY, said[DAILY])] if DAILY in said else []
    first = [kind[0] for kind in kinds(game)]
    return today + [responses.Print(one, called(game, game.start(one), language)) for one in first]


@cache
def _sprites(name: str) -> responses.Sprites:
    game = games.load(name)
    sprites = drawings(game.drawing.sprites)
    paints = {key: copies.paint(paint) for key, paint in {**PAINTS, **game.drawing.paints}.items()}
    return responses.Sprites(sprites, paints)


def drawings(sprites: Mapping[str, Sprite]) -> dict[str, responses.Sprite]:
    return {key: copies.sprite(sprite) for key, sprite in sprites.items()}
