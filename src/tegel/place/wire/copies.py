"""What games give as the wire has it: copied by name, here and nowhere else.

The wire's structs leave out what equals its default, and what is not for a page: how a
sprite looks in a terminal, the small tables of printed pictures."""

from collections.abc import Iterable, Mapping

from tegel import game, picture
from tegel.place.wire import messages, responses

PLAIN = (str, int, float, bool, type(None))


def mark(m: picture.Mark) -> messages.Mark:
    return messages.Mark(*m)  # the same fields in the same order: a move brings a dozen


def plane(p: picture.Plane) -> messages.Plane:
    return messages.Plane(
        name=p.name, lattice=p.lattice.name, box=p.box, wells=p.wells, x=p.x, y=p.y, scale=p.scale,
        coordinates=p.coordinates, framed=p.framed, title=p.title, note=p.note, colour=p.colour,
        seats=p.seats, main=p.main, tray=p.tray, active=p.active, out=p.out,
    )  # fmt: skip


def slots(given: Iterable[game.Slot]) -> list[messages.Slot]:
    return [
        messages.Slot(tile, turn, plane, box, f"{cells:x}")
        for tile, turn, plane, box, cells in given
    ]


def choice(c: game.Choice) -> messages.Choice:
    return messages.Choice(move=c.move, cells=c.cells, tile=c.tile, key=c.key)


def piece(p: game.Supply) -> messages.Piece:
    return messages.Piece(tile=p.tile, laid=p.laid, most=p.most, least=p.least)


def start(s: game.Start) -> responses.Start:
    return responses.Start(key=s.key, variant=s.variant, options=dict(s.options), level=s.level)


def event(e: game.Event) -> messages.Event:
    return messages.Event(key=e.key, cells=e.cells, args=plain(e.args))


def item(i: game.Item) -> responses.Item:
    return responses.Item(
        seat=i.seat, key=i.key, points=i.points, cells=i.cells, args=plain(i.args), path=i.path
    )


def task(
    of: game.AnyGame, state: game.State[game.Move], variant: str, options: Mapping[str, str]
) -> messages.Task | None:
    """What there is to do at a table, if it is for one."""
    if of.solo is None:
        return None
    t, called = of.solo.task(state), of.solo.title(variant, options)
    return messages.Task(
        game=of.name, variant=variant, name=called.name, own=called.own, day=called.day,
        rule=t.rule, tiles=t.tiles, whole=t.whole, colour=t.colour, group=t.group,
    )  # fmt: skip


def layer(x: picture.Layer) -> responses.Layer:
    return responses.Layer(
        d=x.d, fill=x.fill, stroke=x.stroke, width=x.width, opacity=x.opacity, text=x.text, at=x.at,
        size=x.size, dash=x.dash, sign=x.sign,
    )  # fmt: skip


def sprite(s: picture.Sprite) -> responses.Sprite:
    return responses.Sprite(layers=[layer(x) for x in s.layers], cells=s.cells, name=s.name)


def paint(p: picture.Paint) -> responses.Paint:
    return responses.Paint(fill=p.fill, edge=p.edge, pattern=p.pattern, letter=p.letter)


def plain(args: Mapping[str, object]) -> messages.Args:
    """Arguments as JSON has them."""
    return {key: value if isinstance(value, PLAIN) else str(value) for key, value in args.items()}
