"""What a player can do in a room. The socket's messages are these and a few more: see the
server's `wire`."""

from typing import TypeAlias

import msgspec


class Tagged(msgspec.Struct, tag_field="t", tag=str.lower, omit_defaults=True):
    """A message, known by the lower-case name of its class."""


class Move(Tagged):
    ply: int
    move: str


class Sit(Tagged):
    seat: int
    name: str = ""


class Resign(Tagged):
    seat: int | None = None


class Ask(Tagged):
    """Ask the others to take the own last move back, or all of them."""

    all: bool = False


class Agree(Tagged):
    pass


class Refuse(Tagged):
    pass


class Claim(Tagged):
    """Claim the win over a player who is absent."""

    seat: int


class Replace(Tagged):
    """Let a bot play an open seat, or that of a player who is absent."""

    seat: int
    level: int = 4


class Rematch(Tagged):
    pass


class Look(Tagged):
    """Whether you look at the table: a clock that counts up runs while you do."""

    on: bool = True


Action: TypeAlias = Move | Sit | Resign | Ask | Agree | Refuse | Claim | Replace | Rematch | Look
