"""The answers of one storage to all services."""

from tegel.server.storage.accounts import people_store
from tegel.server.storage.heartbeat import SqlHeartbeat
from tegel.server.storage.history import SqlHistory, SqlProfiles, SqlRatings
from tegel.server.storage.moments import SqlMoments
from tegel.server.storage.pairing import SqlPairing
from tegel.server.storage.push import SqlPush
from tegel.server.storage.records import SqlRecords
from tegel.server.storage.retention import SqlRetention
from tegel.server.storage.rooms import SqlRooms
from tegel.server.storage.safety import SqlSafety
from tegel.server.storage.storage import Storage
from tegel.server.storage.studies import SqlStudies
from tegel.server.storage.thoughts import SqlAnalyses, SqlReports


class Stores:
    def __init__(self, storage: Storage) -> None:
        self.heartbeat, self.rooms = SqlHeartbeat(storage), SqlRooms(storage)
        self.people = people_store(storage)
        self.history, self.ratings = SqlHistory(storage), SqlRatings(storage)
        self.profiles = SqlProfiles(storage)
        self.safety, self.pairing = SqlSafety(storage), SqlPairing(storage)
        self.push, self.moments = SqlPush(storage), SqlMoments(storage)
        self.studies, self.records = SqlStudies(storage), SqlRecords(storage)
        self.analyses, self.reports = SqlAnalyses(storage), SqlReports(storage)
        self.retention = SqlRetention(storage)
