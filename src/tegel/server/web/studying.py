"""The socket of somebody who looks into a study: changes, thinking, the report. It thinks as long
as it is open."""

from dataclasses import dataclass
from functools import partial

from starlette.websockets import WebSocket

from tegel.place.accounts.identity import Session
from tegel.place.limits.limits import Budget
from tegel.place.rooms.house import House
from tegel.place.studies.analyses import Analyses
from tegel.place.studies.reports import Reports
from tegel.place.studies.studies import LiveStudy, Studies
from tegel.place.wire import copies, messages, studies
from tegel.place.wire.studies import Analysed, Judged, encode
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.web.conversation import Conversation, Socket, error, found
from tegel.server.web.gate import payer
from tegel.server.web.routes.studies import main_line, reported

PERMITTED = 1.0  # seconds after which it is asked again whether somebody may be helped
OFTEN = 0.24  # seconds: what is thought is told four times in one, at most


class Student(Socket):
    """Who looks into a study at the other end of a socket."""

    def __init__(
        self, desk: "StudySockets", live: LiveStudy, socket: WebSocket, session: Session
    ) -> None:
        super().__init__(socket, session)
        self.desk, self.live = desk, live
        self.thinking: Thinking | None = None
        self.report = ""  # the key of the one that is read
        self.permitted = 0.0  # when it was last found out whether they may

    def judged(self, found: Judged) -> None:
        self.send(encode(found))
        now = self.desk.house.clock.monotonic()
        if now - self.permitted > PERMITTED and not found.complete:
            self.permitted = now
            self.desk.house.background.start(self._permit())

    async def _permit(self) -> None:
        """Read no more if a game began meanwhile."""
        paying = payer(self.socket.scope)
        try:
            await self.desk.reports.permit(main_line(self.live), self.player, paying)
        except Refused as refused:
            self.read_no_more()
            self.send(encode(error(refused)))

    def rest(self) -> None:
        """Think no more."""
        if self.thinking:
            self.desk.analyses.leave(self.thinking.key, self.thinking)
            self.thinking = None

    def read_no_more(self) -> None:
        if self.report:
            self.desk.reports.leave(self.report, self)
            self.report = ""


class Thinking:
    """What somebody hears about one position."""

    def __init__(self, student: Student, path: str) -> None:
        self.student, self.path, self.key = student, path, ""
        self.told = 0.0

    def heard(self, found: Analysed, done: bool) -> None:
        now = self.student.desk.house.clock.monotonic()
        if self.student.thinking is not self or (not done and now - self.told < OFTEN):
            return
        self.told = now
        self.student.send(encode(studies.Thought(path=self.path, found=found, done=done)))

    def ended(self, refused: Refused) -> None:
        if self.student.thinking is self:
            args = copies.plain(refused.args_by_name)
            self.student.send(encode(studies.Rested(self.path, refused.code, refused.text, args)))


@dataclass(frozen=True)
class StudySockets:
    """Serves the sockets of people who look into studies."""

    conversation: Conversation
    live_studies: Studies
    analyses: Analyses
    reports: Reports
    budget: Budget
    house: House

    async def serve(self, socket: WebSocket, id: str, session: Session) -> None:
        """Talk with one client about one study, until it leaves."""
        live = await found(socket, self.live_studies.find(id, payer(socket.scope)))
        if not live:
            return
        student = Student(self, live, socket, session)
        metrics.SOCKETS.inc()
        live.watchers.add(student)  # so that it stays open
        try:
            do = partial(self._do, live, student)
            await self.conversation.hear(student, studies.decode, do, studies.LONGEST)
        finally:
            metrics.SOCKETS.dec()
            student.closed = True
            student.rest()
            student.read_no_more()
            self.live_studies.leave(live, student)

    async def _do(self, live: LiveStudy, student: Student, message: studies.Studying) -> None:
        paying = payer(student.socket.scope)
        match message:
            case messages.Ping():
                student.send(encode(messages.Pong(self.house.heartbeat.now())))
            case studies.Follow(rows):
                self.conversation.look(student)
                await self.live_studies.owns(live, student.player)
                await self.live_studies.follow(live, student, rows)
            case studies.Rest():
                student.rest()
            case studies.Change(rows, text):
                await self.conversation.check(student)
                self.budget.charge(paying, student.player, "position")
                self.budget.keep(paying, text)
                await self.live_studies.change(live, student.player, rows, text, paying)
            case studies.Think(path):
                await self.conversation.check(student)
                await self._think(live, student, path, paying)
            case studies.Judge(begin):
                await self.conversation.check(student)
                self.budget.charge(paying, student.player, "position")
                await self._judge(live, student, paying, begin)

    async def _think(self, live: LiveStudy, student: Student, path: str, paying: str) -> None:
        student.rest()
        mine = student.thinking = Thinking(student, path)
        pay = partial(self.budget.charge, paying, student.player, "think")
        try:
            self.budget.charge(paying, student.player, "position")
            record = live.record(path)
            mine.key = await self.analyses.listen(mine, record, student.player, paying, pay)
        except Refused as refused:
            mine.ended(refused)
        if student.closed:
            student.rest()

    async def _judge(self, live: LiveStudy, student: Student, paying: str, begin: bool) -> None:
        """Let somebody read the report on the game of a study, and what comes of it."""
        student.read_no_more()
        record = main_line(live)
        await self.reports.permit(record, student.player, paying)
        student.report = self.reports.key(record)
        self.reports.follow(student.report, student)
        try:
            found = await reported(self.budget, self.reports, live, student.player, paying, begin)
        except Refused:
            student.read_no_more()
            raise
        if found:
            student.judged(found)
