"""Where people come from, as far as it is stored: keyed hashes, never an address."""

from tegel.server.limits import site
from tegel.server.people.identity import Seals
from tegel.server.storage.room_row import Origin


def origin(seals: Seals, network: str) -> Origin:
    """What is stored of a network."""
    wide = site(network)
    sealed = seals.keyed_hash("network", network)
    return Origin(sealed, seals.keyed_hash("site", wide) if wide != network else "")
