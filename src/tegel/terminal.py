"""A game at the keyboard: people, bots and chance in one terminal."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tegel import games
from tegel.game import CHANCE, AnyGame, BadNotation, IllegalMove, Move, Seat, State, sentence, words
from tegel.picture.styled import StyledText
from tegel.picture.text import blocks
from tegel.record import Record
from tegel.search.advice import advice
from tegel.search.chance import draw
from tegel.search.match import Tally, elo
from tegel.search.players import OUTSIDE, named

PATIENCE = 10.0  # seconds that a hint may take
SOLVING = 120.0  # seconds that a solution may take
HELP = """\
  [b]tile[/] NAME     the forms of a tile, by their turns
  [b]moves[/] \\[TILE]  what may be played, with a tile or word only those that begin so
  [b]hint[/]          a suggestion
  [b]undo[/]          take your last move back
  [b]board[/]         draw the board again
  [b]rules[/]         the rules of the game
  [b]save[/] FILE     write the record of the game
  [b]quit[/]          leave"""


def chosen(console: Console) -> tuple[str, str]:
    """Ask for a game and a variant."""
    entries = [(name, variant) for name in games.names() for variant in games.load(name).variants]
    for number, (name, variant) in enumerate(entries, 1):
        said = words(name)
        console.print(f"[b]{number:>3}[/]  {said['game']['name']}: {said['variants'][variant]}")
    while True:
        try:
            answer = console.input(f"Which game? [1-{len(entries)}, Enter for 1] ").strip() or "1"
        except EOFError:
            raise BadNotation("", "no game was chosen") from None
        if answer.isdecimal() and 1 <= int(answer) <= len(entries):
            return entries[int(answer) - 1]
        console.print(f"Please type a number from 1 to {len(entries)}.")


def print_position(console: Console, text: StyledText) -> None:
    """Print a position; where lines must stay whole, the terminal itself breaks or cuts them."""
    console.print(text, soft_wrap=not text.wraps)


def status(game: AnyGame, state: State[Move]) -> str:
    """Whose turn it is, or how the game ended, in a sentence."""
    said = words(game.name)
    if state.outcome:
        winners = " and ".join(player(seat) for seat in state.outcome.winners) or "nobody"
        verb = "share the win" if len(state.outcome.winners) > 1 else "wins"
        return f"{said['reasons'][state.outcome.reason]} {winners.capitalize()} {verb}."
    colour = game.colour(state)
    plays = f" ({said['colours'][colour]})" if colour else ""
    return f"{player(state.turn).capitalize()} to move{plays}."


def player(seat: Seat) -> str:
    """A seat as people count."""
    return "chance" if seat == CHANCE else f"player {seat + 1}"


def ledger(game: AnyGame, state: State[Move]) -> Table:
    """The scores, item by item where the game keeps an account."""
    table = Table("seat", "item", "points", show_header=False, box=None)
    for seat, score in enumerate(state.scores):
        table.add_row(f"[b]{player(seat).capitalize()}[/]", "", f"[b]{score}[/]")
        for item in game.account(state):
            if item.seat == seat:
                said = sentence(game.name, "items", item.key, item.args)
                table.add_row("", escape(said), str(item.points))
    return table


def standing(players: Sequence[str], tally: Tally, number: int) -> Table:
    """How a match of a number of games stands."""
    table = Table("games", "A", "B", "A wins", "95 %", "Elo", "95 %", "margin")
    names = [escape(name.removeprefix(OUTSIDE)) for name in players]
    low, high = tally.interval
    found = [
        f"{tally.rate:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{elo(tally.rate):+.0f}",
        f"{elo(low):+.0f} to {elo(high):+.0f}",
        f"{tally.margin:+.1f}",
    ]
    table.add_row(f"{tally.games} of {number}", *names, *(found if tally.games else ()))
    return table


class Session:
    """One sitting: the record so far, who sits where, and the loop of questions."""

    def __init__(self, console: Console, begun: Record, people: int, bot: str, seed: int) -> None:
        self.console, self.people, self.seed = console, people, seed
        self.bot = named(bot)
        self.game = games.load(begun.game)
        self.record = replace(begun, moves=())
        self.states = [games.start(begun)]
        self.moves: list[Move] = []
        self.way: list[str] = []  # the rest of a solution, at a table for one without anybody
        for ply in games.replay(begun):
            self.moves.append(ply.move)
            self.states.append(ply.after)

    @property
    def state(self) -> State[Move]:
        return self.states[-1]

    def run(self) -> None:
        said = words(self.game.name)["game"]
        self.console.print(f"[b]{said['name']}[/]. {said['about']} Type [b]help[/] for help.")
        self.show()
        while not self.state.outcome:
            if self.state.turn == CHANCE or self.state.turn >= self.people:
                self.play(self.automatic())
                continue
            try:
                line = self.console.input(f"{status(self.game, self.state)} [b]>[/] ").strip()
            except EOFError:
                self.console.print()
                return
            if line in ("quit", "exit", "q"):
                return
            if line:
                self.obey(line)
        self.console.print(status(self.game, self.state))
        self.console.print(ledger(self.game, self.state))

    def obey(self, line: str) -> None:
        """Do what a person typed, or say in a sentence why not."""
        verb, _, rest = line.partition(" ")
        verbs: dict[str, Callable[[str], None]] = {
            "help": self.help,
            "tile": self.tile,
            "board": lambda _: self.show(),
            "moves": self.list_moves,
            "hint": self.hint,
            "undo": self.undo,
            "rules": self.rules,
            "save": self.save,
        }
        try:
            if verb in verbs:
                verbs[verb](rest.strip())
            else:
                self.play(self.game.parse(line))
                self.show()
        except (BadNotation, IllegalMove) as error:
            self.console.print(f"[red]{escape(str(error))}[/]")

    def automatic(self) -> Move:
        """What chance, a bot or, where nobody plays against anybody, the solver does. A draw
        taken back comes again."""
        rng = random.Random(f"{self.seed} {len(self.moves)}")
        if self.state.turn == CHANCE:
            return draw(self.state, rng)
        return self.solved() if self.game.solo else self.bot(self.state, rng)

    def solved(self) -> Move:
        """The next move of a solution."""
        assert self.game.solo
        if not self.way:
            with self.console.status("Solving"):
                way = self.game.solo.solution(self.state, SOLVING, None)
            if way is None or way.fresh or not way.moves:
                raise BadNotation(
                    self.record.variant, "no solution that goes on from here was found"
                )
            self.way = list(way.moves)
        return self.game.parse(self.way.pop(0))

    def play(self, move: Move) -> None:
        before = self.state
        after = before.play(move)
        self.moves.append(move)
        self.states.append(after)
        events = [
            sentence(self.game.name, "events", event.key, event.args)
            for event in self.game.events(before, move, after)
        ]
        who, said = player(before.turn), escape(" ".join(events))
        self.console.print(f"[dim]{len(self.moves):>3} {who}: {escape(str(move))}[/]  {said}")
        if after.turn in range(self.people) and before.turn not in range(self.people):
            self.show()

    def show(self) -> None:
        print_position(self.console, self.game.text(self.state))

    def by_eye(self) -> bool:
        if self.game.offer(self.state).any:
            self.console.print("This table is played by eye: nobody says what fits.")
            return True
        return False

    def list_moves(self, prefix: str) -> None:
        if self.by_eye():
            return
        found = [str(move) for move in self.state.moves() if str(move).startswith(prefix)]
        more = f" ... {len(found) - 200} more" if len(found) > 200 else ""
        self.console.print(escape("  ".join(found[:200]) + more) or "none", style="dim")

    def hint(self, _: str) -> None:
        if self.game.solo:
            with self.console.status("Thinking"):
                event = self.game.solo.hint(self.state, PATIENCE, None)
            self.console.print(escape(sentence(self.game.name, "events", event.key, event.args)))
        elif not self.by_eye():
            with self.console.status("Thinking"):
                best = advice(self.state, self.seed).opinions[0]
            won = f": you win {best.wins[self.state.turn]:.0%} of such games" if best.wins else ""
            self.console.print(f"Try [b]{escape(str(best.move))}[/]{won}.")

    def undo(self, _: str) -> None:
        mine = [
            ply for ply, state in enumerate(self.states[:-1]) if state.turn in range(self.people)
        ]
        if not mine:
            self.console.print("There is no move of yours to take back.")
            return
        del self.states[mine[-1] + 1 :]
        del self.moves[mine[-1] :]
        self.show()

    def help(self, _: str) -> None:
        self.console.print(escape(words(self.game.name)["game"]["notation"]))
        self.console.print(HELP)

    def tile(self, name: str) -> None:
        """Draw the forms of a tile side by side, each under its notation."""
        found = {
            key: s
            for key, s in self.game.picture(self.state).sprites.items()
            if key.split(".")[0] == name
        }
        table = Table(*(escape(key) for key in found), box=None, padding=(0, 2))
        table.add_row(*(s.letters or blocks(s.cells) for s in found.values()))
        self.console.print(table if name and found else "There is no such tile.")

    def rules(self, _: str) -> None:
        from rich.markdown import Markdown  # which takes long to import

        self.console.print(Markdown(games.page(self.game.name)))

    def save(self, path: str) -> None:
        written = replace(self.record, moves=tuple(map(str, self.moves)))
        try:
            Path(path).write_text(str(written), "utf-8")
            self.console.print(f"Saved to {escape(path)}.")
        except OSError as error:
            self.console.print(f"[red]{escape(path or 'No file named')}: {error.strerror}[/]")
