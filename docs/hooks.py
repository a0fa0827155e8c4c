"""What the documentation site does to its pages besides: examples in docstrings are programs."""

import sys
from pathlib import Path
from typing import Any

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

sys.path.insert(0, str(Path(__file__).parent))

from site_pages import fenced


class Doctests(Preprocessor):  # type: ignore[misc]
    def run(self, lines: list[str]) -> list[str]:
        return fenced(lines)


class Examples(Extension):  # type: ignore[misc]
    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        md.preprocessors.register(Doctests(md), "doctests", 1_000)


def on_config(config: Any) -> Any:
    """Called by MkDocs before it reads the pages."""
    config["markdown_extensions"].append(Examples())
    return config
