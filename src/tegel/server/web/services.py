"""The services that routes may ask for, each by its type: `accounts: services.Accounts`. A route
takes only those that it uses."""

import asyncio
from operator import attrgetter
from typing import Annotated, Any

from fastapi import Depends, Request

from tegel.place import days, heartbeat, lobby, ports, programs, puzzles, records
from tegel.place.accounts import (
    accounts,
    device_links,
    leaving,
    moving,
    names,
    passkeys,
    sessions,
    standing,
    tokens,
)
from tegel.place.history import history, profiles, ratings
from tegel.place.limits import limits, rates
from tegel.place.moments import moments
from tegel.place.pairing import pairing
from tegel.place.push import push
from tegel.place.rooms import house
from tegel.place.safety import blocks, fairness
from tegel.place.safety import store as safety_store
from tegel.place.studies import analyses, reports, studies
from tegel.server import health
from tegel.server.compute import cache, turns
from tegel.server.settings import Settings as Chosen


def service(path: str) -> Any:
    """A service of this worker, by its name there."""
    named = attrgetter(path)

    async def given(request: Request) -> Any:
        return named(request.app.state.worker)

    return Depends(given)


Accounts = Annotated[accounts.Accounts, service("people.accounts")]
Analyses = Annotated[analyses.Analyses, service("studies.analyses")]
Blocks = Annotated[blocks.Blocks, service("safety.blocks")]
Budget = Annotated[limits.Budget, service("budget")]
Closing = Annotated[asyncio.Event, service("closing")]
Days = Annotated[days.Days, service("days")]
Fairness = Annotated[fairness.Fairness, service("safety.fairness")]
Films = Annotated[cache.Cache, service("films")]
Health = Annotated[health.Health, service("health")]
Heartbeat = Annotated[heartbeat.Heartbeat, service("heartbeat")]
History = Annotated[history.History, service("history.games")]
House = Annotated[house.House, service("house")]
Leaving = Annotated[leaving.Leaving, service("people.leaving")]
Links = Annotated[device_links.DeviceLinks, service("people.links")]
Moments = Annotated[moments.Moments, service("moments")]
Moving = Annotated[moving.Moving, service("people.moving")]
Names = Annotated[names.Names, service("people.names")]
Pairing = Annotated[pairing.Pairing, service("pairing")]
Passkeys = Annotated[passkeys.Passkeys, service("people.passkeys")]
Profiles = Annotated[profiles.Profiles, service("history.profiles")]
Programs = Annotated[programs.Programs, service("programs")]
Push = Annotated[push.Push, service("push")]
Puzzles = Annotated[puzzles.Puzzles, service("puzzles")]
Queues = Annotated[ports.Work, service("ports.work")]
Rates = Annotated[rates.Rates, service("rates")]
Ratings = Annotated[ratings.Ratings, service("history.ratings")]
Records = Annotated[records.Records, service("records")]
Reports = Annotated[reports.Reports, service("studies.reports")]
Rooms = Annotated[lobby.Lobby, service("lobby")]
Sessions = Annotated[sessions.Sessions, service("people.sessions")]
Safety = Annotated[safety_store.SafetyStore, service("safety.store")]
Settings = Annotated[Chosen, service("settings")]
Standing = Annotated[standing.Standing, service("people.standing")]
Studies = Annotated[studies.Studies, service("studies.trees")]
Tokens = Annotated[tokens.Tokens, service("people.tokens")]
Uploads = Annotated[turns.Turns, service("uploads")]
