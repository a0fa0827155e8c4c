"""The cookies in which a browser carries who it is."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import Depends, Request

from tegel.place.accounts.identity import Session
from tegel.place.accounts.sessions import Purpose, Sessions
from tegel.server.web import services

COOKIES: dict[Purpose, str] = {"player": "tegel", "before": "tegel-before"}
HOST_ONLY = "__Host-"  # over HTTPS, how their names begin: no other site can set such a cookie
YEAR = 365 * 86_400


async def cookie_session(
    sessions: Sessions, cookies: Mapping[str, str], purpose: Purpose = "player"
) -> Session:
    """What a cookie says, if we signed it and it has not ended; or that it is nobody's."""
    name = COOKIES[purpose]
    return await sessions.read(cookies.get(HOST_ONLY + name) or cookies.get(name, ""), purpose)


def set_cookie(request: Request, purpose: Purpose, seal: str) -> None:
    """Give a browser a cookie; an empty one ends it. Over HTTPS one of an earlier version, which
    other sites of the domain could have set, is ended."""
    name = COOKIES[purpose]
    if request.scope["state"]["https"]:
        if name in request.cookies:
            _add(request, name, "", "; Secure")
        _add(request, HOST_ONLY + name, seal, "; Secure")
    else:
        _add(request, name, seal)


def _add(request: Request, name: str, seal: str, secure: str = "") -> None:
    age = YEAR if seal else 0
    cookie = f"{name}={seal}; Max-Age={age}; Path=/; HttpOnly; SameSite=Lax{secure}"
    request.scope["state"].setdefault("cookies", []).append(cookie)


def renew_cookies(request: Request, sessions: Sessions) -> None:
    """Give a browser that comes over HTTPS the cookies anew that an earlier version gave it. What
    we have not signed is not sent back: another site may have set it."""
    if request.scope["state"]["https"]:
        for purpose, name in COOKIES.items():
            seal = request.cookies.get(name, "")
            ours = sessions.is_ours(seal, purpose)
            if ours and HOST_ONLY + name not in request.cookies:
                set_cookie(request, purpose, seal)


class Browser:
    """The browser that asks, in which somebody signs in or out."""

    def __init__(self, request: Request, sessions: services.Sessions) -> None:
        self.request, self.sessions = request, sessions

    async def session(self) -> Session:
        """Who it is."""
        return await cookie_session(self.sessions, self.request.cookies)

    def become(self, session: Session) -> None:
        set_cookie(self.request, "player", self.sessions.sealed(session))

    def remember(self, session: Session) -> None:
        """Let it be somebody again after signing out."""
        set_cookie(self.request, "before", self.sessions.sealed(session, "before"))

    async def leave(self) -> None:
        """Let it be who it was before somebody signed in, or nobody."""
        before = await cookie_session(self.sessions, self.request.cookies, "before")
        set_cookie(self.request, "before", "")
        if before.player:
            self.become(before)
        else:
            set_cookie(self.request, "player", "")


Asking = Annotated[Browser, Depends()]
