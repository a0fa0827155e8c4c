"""Reports: a player tells the host what another did in a game, in one of a few words."""

from tegel.place.safety.store import SafetyStore
from tegel.room.refused import Refused
from tegel.room.room import Room

REASONS = ("name", "phrases", "stalling", "cheating", "other")


async def report(
    store: SafetyStore, room: Room, player: str, seat: int, reason: str, now: int
) -> None:
    """Note what somebody at a table says of another; the last word of each counts."""
    reported = room.chairs[seat].player if seat < len(room.chairs) else ""
    if not room.seats_of(player) or not reported or reported == player:
        raise Refused("reporting", "Players may report another player of their own table.")
    await store.note_report(room.setup.id, player, reported, reason, now)
