"""Where push messages may be sent.

Endpoints are URLs that strangers choose, so we send to **known services** only, those of the makers
of browsers, and to what the host allows. Whatever their names resolve to, a connection goes to an
address on the internet: it is checked where the socket is made, so that no second lookup can lead
elsewhere (DNS rebinding)."""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from tegel.game import BadNotation
from tegel.room.refused import Refused

KNOWN = (
    "push.services.mozilla.com",  # Firefox
    "fcm.googleapis.com",  # Chrome, and most browsers that are built on it
    "push.apple.com",  # Safari
    "notify.windows.com",  # Edge
)
"""The push services of browsers; the names below them are theirs too."""
ENDPOINT = re.compile(r"https://(?P<host>([a-z0-9-]+\.)+[a-z][a-z0-9-]*)(:443)?/[!-~]*")
"""An endpoint at a name, written in the one way in which all parsers read it alike. A name does not
end in a number: some would take that for an address."""
NAT64 = ip_network("64:ff9b::/96")  # IPv6 addresses that lead to IPv4 addresses
UNICAST = ip_network("2000::/3")  # IPv6 addresses of single machines on the internet


def check_endpoint(endpoint: str, allowed: Collection[str]) -> None:
    """Raise Refused unless an endpoint is one of a known push service, or of one that the host
    allows."""
    if origin(endpoint) in allowed:
        return
    found = ENDPOINT.fullmatch(endpoint)
    if not found:
        raise Refused("invalid", "The address of this device is not one of a push service.")
    host = found["host"]
    if not any(host == known or host.endswith(f".{known}") for known in KNOWN):
        raise Refused(
            "invalid",
            f"Nothing is sent through {host} here: only the host of this site can allow it.",
        )


def origin(url: str) -> str:
    """The origin of a URL; empty if it has none, or is not written as everybody reads it."""
    found = re.match(r"https?://[a-z0-9.:\[\]-]+(?=/|$)", url)
    return found[0] if found and re.fullmatch("[!-~]*", url) else ""


def allowed_origin(text: str) -> str:
    """The origin of a push service that a host allows: a name, reached by HTTPS, or all of it.

    >>> allowed_origin("push.games.example")
    'https://push.games.example'
    >>> allowed_origin("http://127.0.0.1:9000/")
    'http://127.0.0.1:9000'
    """
    url = (text if "://" in text else f"https://{text}").rstrip("/")
    try:
        good = origin(url) == url and urlsplit(url).port != 0
    except ValueError:
        good = False
    if not good:
        raise BadNotation(text, "a push service is a host, as push.example, or http://host:port")
    return url


def is_outside(address: str) -> bool:
    """Return whether an address is that of one machine on the internet; raises ValueError.

    >>> [is_outside(one) for one in ("8.8.8.8", "127.0.0.1", "64:ff9b::127.0.0.1")]
    [True, False, False]
    """
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        if found in NAT64:
            found = IPv4Address(int(found) & 0xFFFFFFFF)
        elif found.ipv4_mapped:
            found = found.ipv4_mapped
        elif found not in UNICAST or found.sixtofour or found.teredo:
            return False
    return found.is_global and not found.is_multicast
