"""Gathers the pages of the documentation site, for `make docs`.

    python docs/site_pages.py build/docs

Pages stand where they are read in the repository: in `docs`, beside the games, at the top. Here
they get a place in the site, with what they link to, and their links are rewritten: a link to a
program becomes a page with its text. The reference is made from docstrings, the command line from
its help, the HTTP API from its schema."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tegel import games

ROOT = Path(__file__).parent.parent
DOCS, GAMES = ROOT / "docs", ROOT / "src" / "tegel" / "games"
PROJECT = ("CHANGELOG", "CONTRIBUTING", "RELEASING", "SECURITY", "LICENSE")
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
PUBLIC = (
    "tegel", "tegel.easy", "tegel.game", "tegel.games", "tegel.record", "tegel.tree",
    "tegel.lattice", "tegel.cells", "tegel.picture", "tegel.solver", "tegel.search.bot",
    "tegel.search.players", "tegel.search.level", "tegel.search.match", "tegel.search.kernel",
    "tegel.search.nets", "tegel.search.advice", "tegel.search.analysis", "tegel.search.report",
    "tegel.search.moments", "tegel.search.grades", "tegel.search.graph", "tegel.notebook",
    "tegel.notebook.replay", "tegel.search.mcts", "tegel.search.chance", "tegel.executors",
    "tegel.engines.protocol",
    "tegel.engines.engine", "tegel.engines.client", "tegel.engines.program", "tegel.engines.gtp",
    "tegel.engines.outside", "tegel.env", "tegel.env.sight", "tegel.env.batch", "tegel.env.gpu",
    "tegel.env.aec", "tegel.env.openspiel", "tegel.games.blokus.planes", "tegel.games.forma.planes",
    "tegel.games.tantrix.planes", "tegel.games.imago.planes", "tegel.sheets",
)  # fmt: skip
"""The modules that the reference shows."""


def pages() -> Iterator[Path]:
    """The pages with which it begins; what they link to comes along."""
    yield from sorted(DOCS.glob("**/*.md"))
    yield from sorted(GAMES.glob("**/rules.*.md"))
    yield from (ROOT / f"{name}.md" for name in PROJECT if (ROOT / f"{name}.md").is_file())


def place(file: Path) -> Path:
    """Where a file of the repository lies in the site."""
    if file == ROOT / "README.md":
        return Path("index.md")
    if file.parent == ROOT and file.stem in PROJECT:
        return Path("project", f"{file.stem.lower()}.md")
    if file.is_relative_to(DOCS):
        return file.relative_to(DOCS)
    if file.is_relative_to(GAMES):
        home = file.relative_to(GAMES)
        if home.name.startswith("rules."):
            language = home.suffixes[0].removeprefix(".")
            return Path(
                "rules", home.parent.name + (f".{language}" if language != "en" else "") + ".md"
            )
        if home.parent.name == "pictures":
            return Path("rules", home.parent.parent.name, home.name)
    if file.suffix in (".py", ".hpp", ".txt", ".ipynb"):
        return Path("source", f"{file.relative_to(ROOT)}.md")
    return Path("source" if file.suffix == ".md" else "files", file.relative_to(ROOT))


def written(file: Path, found: set[Path]) -> str:
    """A page with its links rewritten; what it links to is added to what was found."""

    def moved(match: re.Match[str]) -> str:
        before, link, after = match.groups()
        if ":" in link:
            return match[0]
        target = (file.parent / link).resolve()
        target = target / "__init__.py" if target.is_dir() else target
        assert target.is_file(), f"{file}: {link} leads nowhere"
        found.add(target)
        return f"{before}{os.path.relpath(place(target), place(file).parent)}{after}"

    return LINK.sub(moved, file.read_text("utf-8"))


def gather(out: Path) -> None:
    """Write all pages that are somewhere in the repository."""
    waiting, done = set(pages()), set[Path]()
    while waiting:
        file = waiting.pop()
        done.add(file)
        to = out / place(file)
        to.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            found = set[Path]()
            to.write_text(written(file, found), "utf-8")
            waiting |= found - done
        elif file.suffix == ".ipynb":
            to.write_text("\n\n".join(_cells(json.loads(file.read_text("utf-8")))), "utf-8")
        elif to.suffix == ".md":
            kind = {".py": "python", ".hpp": "cpp"}.get(file.suffix, "")
            text = file.read_text("utf-8")
            to.write_text(f"# {file.relative_to(ROOT)}\n\n````{kind}\n{text}````\n", "utf-8")
        else:
            shutil.copyfile(file, to)


def _cells(book: dict[str, Any]) -> Iterator[str]:
    """A notebook as a page. Its links are for readers of the notebook, and left out."""
    for cell in book["cells"]:
        text = "".join(cell["source"])
        code = cell["cell_type"] == "code"
        yield f"```python\n{text}\n```" if code else re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)


def reference(out: Path) -> None:
    """A page for every public module, from its docstrings."""
    (out / "reference").mkdir(parents=True, exist_ok=True)
    for module in PUBLIC:
        text = f"# {module}\n\n::: {module}\n"
        (out / "reference" / f"{module}.md").write_text(text, "utf-8")


def command_line(out: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "typer", "tegel.cli", "utils", "docs", "--name", "tegel"],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    (out / "reference" / "command-line.md").write_text(
        told.replace("# `tegel`", "# Command line", 1)
    )


def http(out: Path) -> None:
    """The operations of the server, by their subjects, from its schema."""
    printed = subprocess.run(
        [sys.executable, "-m", "tegel.server.web.schema"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    schema = json.loads(printed)
    by_tag: dict[str, list[str]] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            lines = by_tag.setdefault((operation.get("tags") or ["other"])[0], [])
            lines.append("\n".join(_operation(path, method, operation)))
    parts = ["# HTTP API", schema["info"]["description"], "[How to use it](../api.md)."]
    for tag, operations in sorted(by_tag.items()):
        parts += [f"## {tag.capitalize()}", *operations]
    parts += ["## Schemas", *_schemas(schema["components"]["schemas"])]
    (out / "reference" / "http.md").write_text("\n\n".join(parts) + "\n", "utf-8")


def _operation(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"### {method.upper()} `{path}`\n"
    yield f"{operation.get('description') or operation['summary']}\n"
    if operation.get("parameters"):
        yield "| parameter | in | type | |\n| --- | --- | --- | --- |"
        for one in operation["parameters"]:
            wanted = "" if one.get("required") else " (optional)"
            told = " ".join(one.get("description", "").split())
            yield f"| `{one['name']}` | {one['in']}{wanted} | {_kind(one['schema'])} | {told} |"
        yield ""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield f"Takes {_kind(content.get('schema', {}))}.\n"
    for status, answer in operation["responses"].items():
        kinds = [
            _kind(one["schema"]) if one.get("schema") else f"`{media}`"
            for media, one in answer.get("content", {}).items()
        ]
        yield f"- **{status}** {answer['description']} {', '.join(kinds)}"


def _schemas(schemas: dict[str, Any]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        yield f"### {name}"
        if told := schema.get("description"):
            yield str(told)
        if rows := schema.get("properties"):
            needed = schema.get("required", [])
            lines = ["| field | type | |", "| --- | --- | --- |"]
            for key, value in rows.items():
                more = " ".join(value.get("description", "").split())
                lines.append(f"| `{key}` | {_kind(value)} | {more or _need(key in needed)} |")
            yield "\n".join(lines)
        elif kinds := schema.get("anyOf"):
            yield "One of " + ", ".join(map(_kind, kinds)) + "."


def _need(needed: bool) -> str:
    return "" if needed else "optional"


def _kind(schema: dict[str, Any]) -> str:
    """What a schema is, in a few words."""
    if ref := schema.get("$ref"):
        name = ref.rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if several := schema.get("anyOf"):
        return " or ".join(map(_kind, several))
    if "enum" in schema:
        return " ".join(f"`{value}`" for value in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema.get('items') or {})}"
    return str(kind) if isinstance(kind, str) else " or ".join(kind)


def fenced(lines: list[str]) -> list[str]:
    """A text with a fence around every doctest, which ends at the next empty line."""
    found: list[str] = []
    inside, beyond = False, False
    for line in lines:
        beyond ^= line.lstrip().startswith("```")
        if not inside and not beyond and line.startswith(">>> "):
            inside = True
            found += ["", "```pycon"]
        elif inside and not line.strip():
            inside = False
            found.append("```")
        found.append(line)
    return [*found, "```"] if inside else found


def navigation() -> list[Any]:
    """The pages that the site's menu names."""
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    found: list[Any] = yaml.safe_load(re.sub(r"!!python\S+", "", text))["nav"]
    return found


def named(entries: list[Any]) -> Iterator[str]:
    """The files that a menu names."""
    for entry in entries:
        for value in entry.values():
            yield from [value] if isinstance(value, str) else named(value)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    shutil.rmtree(target, ignore_errors=True)
    gather(target)
    reference(target)
    command_line(target)
    http(target)
    assert {Path(name) for name in named(navigation())} <= {
        path.relative_to(target) for path in target.rglob("*.md")
    }, "the menu names a page that there is not"
    assert set(games.every()) <= {path.stem for path in (target / "rules").glob("*.md")}
