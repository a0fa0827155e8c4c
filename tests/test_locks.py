"""What is installed is what was locked: versions with the hashes of their files."""

import hashlib
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = sorted((ROOT / "locks").glob("*.txt"))
PIN = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;]+)(?: ; [^\\]+)? \\")


def pins(file: Path) -> dict[str, str]:
    """The versions of a lock, each with a hash at least; nothing else may be in it."""
    found: dict[str, str] = {}
    hashes = 1
    for line in file.read_text().splitlines():
        if line.startswith("#"):
            continue
        if pin := PIN.fullmatch(line):
            assert hashes, line
            found[canonicalize_name(pin["name"])], hashes = pin["version"], 0
        else:
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
            hashes += 1
    assert found, file
    assert hashes
    return found


@pytest.mark.parametrize("file", LOCKS, ids=lambda file: file.stem)
def test_a_lock_has_hashes_and_the_versions_that_we_chose(file: Path) -> None:
    """And no address: where packages come from is the host's affair."""
    chosen: dict[str, str] = {
        canonicalize_name(name): version
        for name, _, version in (
            line.partition("==") for line in (ROOT / "constraints.txt").read_text().splitlines()
        )
        if version
    }
    for name, version in pins(file).items():
        assert chosen.get(name, version) == version, name
    assert not re.search(r"//|file:|/(home|opt|work|tmp|root)\b", file.read_text())


def test_all_that_we_ask_for_is_locked() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, extras = told["project"], told["project"]["optional-dependencies"]
    purposes = {name: (name,) for name in ("bench", "docs", "notebook", "release", "test")}
    for lock, parts in {**purposes, "run": ("net", "print", "serve")}.items():
        found = pins(ROOT / "locks" / f"{lock}.txt")
        for one in [*project["dependencies"], *(one for part in parts for one in extras[part])]:
            asked = Requirement(one)
            if asked.name != "tegel":
                assert asked.specifier.contains(found[canonicalize_name(asked.name)]), one
    built = pins(ROOT / "locks" / "build.txt")
    assert {Requirement(one).name for one in told["build-system"]["requires"]} <= built.keys()


def test_nothing_is_installed_without_its_hash() -> None:
    """By make; but for ourselves, from this folder."""
    goals = [".venv/.run", ".venv/.test", ".venv/.docs", ".venv/.bench", ".venv/.npm"]
    words = ["make", "--dry-run", "--always-make", *goals]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
    installed = re.findall(r"pip install [^|\n\\]*(?:\\\n[^\n]*)*", done.stdout)
    assert len(installed) >= 7
    for words_ in installed:
        ours = "--editable ." in words_ and "--no-deps" in words_
        assert ours or "--require-hashes -r locks/" in words_, words_


def wheel(folder: Path) -> Path:
    """A package of one line."""
    file = folder / "tiny-1.0-py3-none-any.whl"
    about = "tiny-1.0.dist-info"
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("tiny.py", "ONE = 1\n")
        package.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
        package.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        package.writestr(f"{about}/RECORD", "")
    return file


def test_a_file_with_another_hash_is_refused(tmp_path: Path) -> None:
    """As pip installs from our locks."""
    digest = hashlib.sha256(wheel(tmp_path).read_bytes()).hexdigest()
    lock = tmp_path / "lock.txt"

    def installed(digest: str) -> subprocess.CompletedProcess[str]:
        lock.write_text(f"tiny==1.0 \\\n    --hash=sha256:{digest}\n")
        pip = [sys.executable, "-m", "pip", "--isolated", "install", "--require-hashes"]
        there = ["--no-index", "--find-links", str(tmp_path), "--target", str(tmp_path / "site")]
        return subprocess.run([*pip, *there, "-r", str(lock)], capture_output=True, text=True)

    wrong = installed(f"{int(digest[0], 16) ^ 1:x}{digest[1:]}")
    assert wrong.returncode != 0
    assert "DO NOT MATCH THE HASHES" in wrong.stderr
    assert not (tmp_path / "site" / "tiny.py").exists()
    right = installed(digest)
    assert right.returncode == 0, right.stderr
    assert (tmp_path / "site" / "tiny.py").exists()


# What a release writes


def release() -> Any:
    spec = spec_from_file_location("release", ROOT / "deploy" / "release.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_release_names_base_images_by_digest() -> None:
    """Again and again; stages of our own are not images of others."""
    text = (ROOT / "deploy" / "Dockerfile").read_text()
    digests = {"node:24-slim": "sha256:" + "a" * 64, "python:3.12-slim": "sha256:" + "b" * 64}
    found = release().with_digests(text, digests.__getitem__)
    assert re.findall(r"^FROM .*", found, re.MULTILINE) == [
        f"FROM node:24-slim@{digests['node:24-slim']} AS page",
        f"FROM python:3.12-slim@{digests['python:3.12-slim']} AS build",
        f"FROM python:3.12-slim@{digests['python:3.12-slim']}",
    ]
    assert release().with_digests(found, digests.__getitem__) == found


def test_a_release_has_a_lock_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "tegel-1.2.3.tar.gz").write_bytes(b"source")
    (tmp_path / "tegel-1.2.3-cp311-cp311-manylinux_2_28_x86_64.whl").write_bytes(b"wheel")
    (tmp_path / "tegel.cdx.json").write_bytes(b"{}")
    lock = tmp_path / "lock.txt"
    lock.write_text(release().lock(tmp_path.iterdir()) + "\n")
    assert pins(lock) == {"tegel": "1.2.3"}
    for content in (b"source", b"wheel"):
        assert hashlib.sha256(content).hexdigest() in lock.read_text()


def test_the_image_and_the_unit_install_from_locks() -> None:
    for name in ("Dockerfile", "tegel.service"):
        text = (ROOT / "deploy" / name).read_text().replace("\\\n", "")
        for words in re.findall(r"pip (?:install|wheel) .*?(?:&&|$)", text, re.MULTILINE):
            ours = "--no-deps" in words and re.search(r"/wheels/\*\.whl| \. ", words)
            assert ours or "--require-hashes" in words, words


@pytest.mark.parametrize(
    "setting", ["UMask=0077", "MemoryMax=", "SystemCallFilter=", "NoNewPrivileges=yes"]
)
def test_the_unit_is_confined(setting: str) -> None:
    assert f"\n{setting}" in (ROOT / "deploy" / "tegel.service").read_text()
