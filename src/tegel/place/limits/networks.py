"""Networks: which addresses share their limits.

An IPv4 address stands alone. Of IPv6 a household has a /64 at least, often a /56, and anybody can
have a /48. So a **network** is a /64, and the **prefixes** around it, its /56 and its /48, have
limits too, a few times as wide."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address, ip_network

from tegel.game import BadNotation

WIDER = {56: 4, 48: 8}  # lengths of prefixes, and how many times as much as a /64 they may
SHARED = 20  # how many times as much where many people share a network


@lru_cache(10_000)
def network(address: str) -> str:
    """The network of an address.

    >>> network("2001:db8:1:2:3:4:5:6"), network("::ffff:192.0.2.1")
    ('2001:db8:1:2::/64', '192.0.2.1')
    """
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))


@lru_cache(10_000)
def prefixes(network: str) -> tuple[str, ...]:
    """A network and the wider prefixes around it, the widest last.

    >>> prefixes("2001:db8:1:2ff::/64")
    ('2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48')
    >>> prefixes("192.0.2.1")
    ('192.0.2.1',)
    """
    try:
        found = IPv6Network(network)
    except ValueError:
        return (network,)
    return (network, *(str(found.supernet(new_prefix=length)) for length in WIDER))


def widest(network: str) -> str:
    """The widest prefix around a network."""
    return prefixes(network)[-1]


def household(network: str) -> str:
    """Where a network belongs to: of IPv6 its /56, which a provider gives to one customer.

    >>> household("2001:db8:1:2ff::/64"), household("192.0.2.1")
    ('2001:db8:1:200::/56', '192.0.2.1')
    """
    return prefixes(network)[:2][-1]


@lru_cache(10_000)
def allowance(prefix: str, shared: tuple[str, ...]) -> float:
    """How many times as much as a network a prefix may, where some networks are shared by many.

    >>> allowance("192.0.2.1", ()), allowance("192.0.2.1", ("192.0.2.0/24",))
    (1, 20)
    """
    times = next((n for length, n in WIDER.items() if prefix.endswith(f"/{length}")), 1)
    return times * (SHARED if is_shared(prefix, shared) else 1)


def is_shared(prefix: str, shared: tuple[str, ...]) -> bool:
    """Whether many people share a network, or a part of a prefix."""
    try:
        found = ip_network(prefix)
    except ValueError:
        return False  # where connections have no address
    return any(_overlap(found, ip_network(other)) for other in shared)


def _overlap(one: IPv4Network | IPv6Network, other: IPv4Network | IPv6Network) -> bool:
    return one.version == other.version and one.overlaps(other)


def named(text: str) -> str:
    """A network as a host names it, an address or a prefix; raises BadNotation.

    >>> named("192.0.2.1"), named("2001:db8::/32")
    ('192.0.2.1/32', '2001:db8::/32')
    """
    try:
        return str(ip_network(text))
    except ValueError:
        raise BadNotation(
            text, "a network is an address or a prefix, like 192.0.2.1 or 2001:db8:1::/48"
        ) from None
