"""Networks as they are stored: keyed hashes, never an address."""

from collections.abc import Sequence
from zlib import crc32

from tegel.place.accounts.identity import Seals
from tegel.place.limits.networks import SHARED, is_shared, widest
from tegel.place.rooms.room_row import SealedNetwork


def sealed_network(
    seals: Seals, shared: Sequence[str], network: str, player: str = ""
) -> SealedNetwork:
    """What is stored of the network of a player. One that many share counts as several, among
    which its players are divided: so each limit is as much wider."""
    if is_shared(network, tuple(shared)):
        part = crc32(player.encode()) % SHARED
        return SealedNetwork(seals.keyed_hash("network", f"{network} {part}"), "")
    site = widest(network)
    sealed = seals.keyed_hash("network", network)
    return SealedNetwork(sealed, seals.keyed_hash("site", site) if site != network else "")
