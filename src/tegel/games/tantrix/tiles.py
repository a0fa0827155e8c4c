"""The 56 tiles of Tantrix, and the forms in which they lie.

- A tile joins its six **edges** in pairs by three **links** of three colours. Edges are
  written clockwise from east as letters: `BRBRYY` has a blue link from east to south-west.
- A link is a **short bend** between neighbouring edges, a **long bend** between edges with
  one between them, or **straight**.
- A **form** is a tile in one of its six rotations; its number is 6 x (tile - 1) + turn,
  and it is written as its edges, too. Sets of forms are integers, a bit each.
- The **faces** of an empty cell are the edges that look at it, clockwise from east, with a
  dot where there is none: tiles fit by their faces.
"""

from collections import Counter
from functools import cache
from itertools import combinations, permutations

COLOURS = ("red", "yellow", "blue", "green")
LETTERS = "RYBG"
NAMES = dict(zip(LETTERS, COLOURS, strict=True))
COUNT = 56
TURNS = 6
NOTHING = "......"  # the faces of a cell far from all tiles

EDGES = (
    "BRBRYY", "BRRBYY", "BBYYRR", "BRYBYR", "BBRYYR", "BRYRBY", "BBYRYR", "BBRYRY",
    "BRBYRY", "BRBYYR", "BYBYRR", "BRRYBY", "BBYRRY", "BBRRYY", "GGRYYR", "GGYRRY",
    "GRGRYY", "GRGYYR", "GYGYRR", "GRRYGY", "GGRRYY", "GRRGYY", "GGYYRR", "BGGBRR",
    "BBGGRR", "BBGRRG", "BGBGRR", "BBRRGG", "BGBRRG", "BBRGGR", "GGRYRY", "GRYGYR",
    "GGYRYR", "GRGYRY", "GRYRGY", "BGGRBR", "BBGRGR", "BBRGRG", "BGBRGR", "BGRBRG",
    "BRBRGG", "BGRGBR", "BBYYGG", "BGYGBY", "BBGGYY", "BYBYGG", "BBYGGY", "BGGBYY",
    "BBGYYG", "BGYBYG", "BGBYGY", "BGGYBY", "BGBYYG", "BGBGYY", "BBGYGY", "BBYGYG",
)  # fmt: skip
"""The edges of tiles 1 to 56 in rotation 0. Their numbers are the makers'; that they are
all the tiles there can be, each once, is what `definition` says."""

BACKS = {
    **dict.fromkeys((1, 2, 3, 9, 12, 17, 20, 21, 22, 23), "Y"),
    **dict.fromkeys((4, 5, 10, 11, 15, 16, 18, 19, *range(24, 31)), "R"),
    **dict.fromkeys((6, 7, 8, 13, 14), "B"),
}
"""The letter of the colour on the back of tiles 1 to 30."""


def rotated(edges: str, turn: int) -> str:
    """The edges of a tile after that many turns of 60 degrees clockwise."""
    return edges[-turn % TURNS :] + edges[: -turn % TURNS]


def definition() -> set[str]:
    """All ways to join six edges in pairs by three links of different colours, less those
    with three straight links; each in its alphabetically first rotation."""
    found = set()
    for letters in combinations(LETTERS, 3):
        for edges in set(permutations(letters * 2)):
            tile = "".join(edges)
            if set(bends(tile)) != {"straight"}:
                found.add(min(rotated(tile, turn) for turn in range(TURNS)))
    return found


def links(edges: str) -> dict[str, tuple[int, int]]:
    """The two edges that each colour of a tile joins, by its letter.

    >>> links("BRBRYY")
    {'B': (0, 2), 'R': (1, 3), 'Y': (4, 5)}
    """
    return {letter: (edges.index(letter), edges.rindex(letter)) for letter in edges}


def bend(link: tuple[int, int]) -> str:
    """Whether a link is short, long or straight."""
    apart = abs(link[0] - link[1])
    return {1: "short", 2: "long", 3: "straight"}[min(apart, TURNS - apart)]


def bends(edges: str) -> Counter[str]:
    """How many links of each bend a tile has."""
    return Counter(bend(link) for link in links(edges).values())


FORMS = tuple(rotated(edges, turn) for edges in EDGES for turn in range(TURNS))
LINKS = tuple(map(links, FORMS))


def form(tile: int, turn: int) -> int:
    """The number of a tile's form."""
    return TURNS * (tile - 1) + turn


def tile_of(form: int) -> tuple[int, int]:
    """The tile and the turn of a form; the inverse of `form`."""
    tile, turn = divmod(form, TURNS)
    return tile + 1, turn


def forms(tiles: int) -> int:
    """All forms of a set of tiles, which is an integer with bit t for tile t."""
    found = 0
    while tiles:
        low = tiles & -tiles
        found |= 0b111111 << TURNS * (low.bit_length() - 2)
        tiles ^= low
    return found


SHOWING = tuple(
    {
        letter: sum(1 << n for n, edges in enumerate(FORMS) if edges[side] == letter)
        for letter in LETTERS
    }
    for side in range(TURNS)
)
"""By side and letter, the forms that have this colour there."""
UPRIGHT = sum(1 << form(tile, 0) for tile in range(1, COUNT + 1))
"""All tiles in rotation 0."""


@cache
def fitting(faces: str) -> int:
    """The forms that have the colour of every edge that they would touch."""
    found = (1 << len(FORMS)) - 1
    for side, letter in enumerate(faces):
        if letter != ".":
            found &= SHOWING[side][letter]
    return found


@cache
def tiles_around(faces: str) -> int:
    """How many tiles lie around a cell with these faces."""
    return TURNS - faces.count(".")


@cache
def paired(faces: str) -> str:
    """The letters of the colours that two or more faces have."""
    return "".join(letter for letter in LETTERS if faces.count(letter) >= 2)
