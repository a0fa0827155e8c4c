"""What a room, or the server, does not do: a sentence for people, a code for programs."""

from tegel.lattice import Cell


class Refused(ValueError):
    """Not allowed here: a code for programs, a sentence for people."""

    def __init__(self, code: str, text: str, cells: tuple[Cell, ...] = (), rule: str = "",
                 **args: object) -> None:  # fmt: skip
        self.code, self.text, self.cells, self.rule, self.args_by_name = (
            code, text, cells, rule, args,
        )  # fmt: skip
        super().__init__(text)
