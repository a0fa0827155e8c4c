"""The socket of somebody who looks into a study: changes, thinking, the report. It thinks as long
as it is open."""

import time
from functools import partial

from starlette.websockets import WebSocket

from tegel.place.accounts.identity import Session
from tegel.place.studies.studies import LiveStudy
from tegel.place.wire import copies, messages, studies
from tegel.place.wire.studies import Analysed, Judged, encode
from tegel.room.refused import Refused
from tegel.server import metrics
from tegel.server.web.conversation import Socket, check, error, found, hear, look
from tegel.server.web.gate import payer
from tegel.server.web.routes.studies import main_line, reported
from tegel.server.worker import Worker

PERMITTED = 1.0  # seconds after which it is asked again whether somebody may be helped
OFTEN = 0.24  # seconds: what is thought is told four times in one, at most


class Student(Socket):
    """Who looks into a study at the other end of a socket."""

    def __init__(
        self, worker: Worker, live: LiveStudy, socket: WebSocket, session: Session
    ) -> None:
        super().__init__(socket, session)
        self.worker, self.live = worker, live
        self.thinking: Thinking | None = None
        self.report = ""  # the key of the one that is read
        self.permitted = 0.0  # when it was last found out whether they may

    def judged(self, found: Judged) -> None:
        self.send(encode(found))
        if time.monotonic() - self.permitted > PERMITTED and not found.complete:
            self.permitted = time.monotonic()
            self.worker.house.background.start(self._permit())

    async def _permit(self) -> None:
        """Read no more if a game began meanwhile."""
        paying = payer(self.socket.scope)
        try:
            await self.worker.reports_on_games.permit(main_line(self.live), self.player, paying)
        except Refused as refused:
            self.read_no_more()
            self.send(encode(error(refused)))

    def rest(self) -> None:
        """Think no more."""
        if self.thinking:
            self.worker.analyses.leave(self.thinking.key, self.thinking)
            self.thinking = None

    def read_no_more(self) -> None:
        if self.report:
            self.worker.reports_on_games.leave(self.report, self)
            self.report = ""


class Thinking:
    """What somebody hears about one position."""

    def __init__(self, student: Student, path: str) -> None:
        self.student, self.path, self.key = student, path, ""
        self.told = 0.0

    def heard(self, found: Analysed, done: bool) -> None:
        if self.student.thinking is not self or (not done and time.monotonic() - self.told < OFTEN):
            return
        self.told = time.monotonic()
        self.student.send(encode(studies.Thought(path=self.path, found=found, done=done)))

    def ended(self, refused: Refused) -> None:
        if self.student.thinking is self:
            args = copies.plain(refused.args_by_name)
            self.student.send(encode(studies.Rested(self.path, refused.code, refused.text, args)))


async def serve(worker: Worker, socket: WebSocket, id: str, session: Session) -> None:
    """Talk with one client about one study, until it leaves."""
    live = await found(socket, worker.studies.find(id, payer(socket.scope)))
    if not live:
        return
    student = Student(worker, live, socket, session)
    metrics.SOCKETS.inc()
    live.watchers.add(student)  # so that it stays open
    try:
        do = partial(_do, worker, live, student)
        await hear(worker, student, studies.decode, do, studies.LONGEST)
    finally:
        metrics.SOCKETS.dec()
        student.closed = True
        student.rest()
        student.read_no_more()
        worker.studies.leave(live, student)


async def _do(worker: Worker, live: LiveStudy, student: Student, message: studies.Studying) -> None:
    paying = payer(student.socket.scope)
    match message:
        case messages.Ping():
            student.send(encode(messages.Pong(worker.heartbeat.now())))
        case studies.Follow(rows):
            look(worker, student)
            await worker.studies.owns(live, student.player)
            await worker.studies.follow(live, student, rows)
        case studies.Rest():
            student.rest()
        case studies.Change(rows, text):
            await check(worker, student)
            worker.budget.charge(paying, student.player, "position")
            worker.budget.keep(paying, text)
            await worker.studies.change(live, student.player, rows, text, paying)
        case studies.Think(path):
            await check(worker, student)
            await _think(worker, live, student, path, paying)
        case studies.Judge(begin):
            await check(worker, student)
            worker.budget.charge(paying, student.player, "position")
            await _judge(worker, live, student, paying, begin)


async def _think(worker: Worker, live: LiveStudy, student: Student, path: str, paying: str) -> None:
    student.rest()
    mine = student.thinking = Thinking(student, path)
    pay = partial(worker.budget.charge, paying, student.player, "think")
    try:
        worker.budget.charge(paying, student.player, "position")
        record = live.record(path)
        mine.key = await worker.analyses.listen(mine, record, student.player, paying, pay)
    except Refused as refused:
        mine.ended(refused)
    if student.closed:
        student.rest()


async def _judge(
    worker: Worker, live: LiveStudy, student: Student, paying: str, begin: bool
) -> None:
    """Let somebody read the report on the game of a study, and what comes of it."""
    student.read_no_more()
    record = main_line(live)
    await worker.reports_on_games.permit(record, student.player, paying)
    student.report = worker.reports_on_games.key(record)
    worker.reports_on_games.follow(student.report, student)
    try:
        found = await reported(worker, live, student.player, paying, begin)
    except Refused:
        student.read_no_more()
        raise
    if found:
        student.judged(found)
