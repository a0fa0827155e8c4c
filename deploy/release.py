"""What a release writes: see RELEASING.md.

python deploy/release.py images            # the digests of the base images, into the Dockerfile
python deploy/release.py hashes FOLDER...  # a lock of ourselves, from the packages in there
"""

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

DOCKERFILE = Path(__file__).parent / "Dockerfile"
BASE = re.compile(r"^FROM (?P<image>[\w./-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?", re.MULTILINE)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def with_digests(text: str, digest: Callable[[str], str]) -> str:
    """A Dockerfile in which every base image is named by its tag and by what `digest` says."""
    return BASE.sub(lambda found: f"FROM {found['image']}@{digest(found['image'])}", text)


def digest_of(image: str) -> str:
    """The digest that the registry has for an image now, for all architectures together."""
    words = ["docker", "buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"]
    found = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    if not DIGEST.fullmatch(found):
        sys.exit(f"{image}: expected a digest, got {found!r}")
    return found


def lock(files: Iterable[Path]) -> str:
    """The lock of a version of ours: its name, and the hashes of its packages."""
    packages = sorted(file for file in files if file.name.endswith((".whl", ".tar.gz")))
    versions = {file.name.removesuffix(".tar.gz").split("-")[1] for file in packages}
    if len(versions) != 1:
        sys.exit(f"expected packages of one version, found {sorted(versions) or 'none'}")
    hashes = sorted(hashlib.sha256(file.read_bytes()).hexdigest() for file in packages)
    return " \\\n    ".join([f"tegel=={versions.pop()}", *(f"--hash=sha256:{h}" for h in hashes)])


def main() -> None:
    match sys.argv[1:]:
        case ["images"]:
            DOCKERFILE.write_text(with_digests(DOCKERFILE.read_text(), digest_of))
        case ["hashes", *folders] if folders:
            print(lock(file for folder in folders for file in Path(folder).iterdir()))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
