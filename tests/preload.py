"""Small libraries in C that a test puts before the system's own, in the processes it starts."""

import shutil
import subprocess
from pathlib import Path

from servers import missing

HERE = Path(__file__).parent


def built(source: str, folder: Path) -> dict[str, str]:
    """The environment in which a process does as a file of ours beside this one says."""
    compiler = shutil.which("cc")
    if not compiler:
        missing("A C compiler")
    assert compiler
    made = folder / f"{source}.so"
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(made)]
    subprocess.run([compiler, *flags, str(HERE / source), "-ldl"], check=True)
    return {"LD_PRELOAD": str(made)}
