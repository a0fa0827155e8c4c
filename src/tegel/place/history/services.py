"""The services about games that are over, put together."""

from tegel.place.history.history import History
from tegel.place.history.profiles import Profiles
from tegel.place.history.ratings import Ratings
from tegel.place.history.store import HistoryStore, ProfileStore, RatingStore
from tegel.place.ports import Clock


class HistoryServices:
    def __init__(
        self, games: HistoryStore, ratings: RatingStore, profiles: ProfileStore, clock: Clock
    ) -> None:
        self.ratings = Ratings(ratings, clock)
        self.games = History(games, self.ratings)
        self.profiles = Profiles(profiles)
