"""Nets in files, and as players. `data/tiny-duo.onnx` was made by `tegel train blokus duo
--device cpu --blocks 2 --width 16 --games 8 --batch 32 --least 100 --first 8 --later 8` in a
minute; it plays badly."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tegel import games
from tegel.game import BadNotation
from tegel.search import kernel, nets
from tegel.search.kernel import Thinker
from tegel.search.match import pairings, played
from tegel.search.players import player

pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built")

FILE = Path(__file__).parent / "data" / "tiny-duo.onnx"
START = games.load("blokus").start("duo")


def test_a_net_in_a_file_plays() -> None:
    net = nets.load(FILE).fits(kernel.shape(START))
    opinions = Thinker(START, 1, net).consider(30)
    assert 15 < sum(opinion.visits for opinion in opinions) <= 30  # fewer if that settles it
    assert sum(opinion.prior for opinion in opinions) == pytest.approx(1, abs=1e-4)
    assert sum(opinions[0].wins) == pytest.approx(1, abs=1e-4)
    assert opinions == Thinker(START, 1, net).consider(30)


def test_it_is_loaded_once() -> None:
    assert nets.load(FILE) is nets.load(FILE)


def test_a_net_of_another_variant_is_refused() -> None:
    shape = kernel.shape(games.load("blokus").start("two"))
    with pytest.raises(ValueError, match="a net for another game or variant"):
        nets.load(FILE).fits(shape)


def test_what_is_no_net_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(random.Random(1).randbytes(3000))
    with pytest.raises(ValueError, match=r"broken\.onnx: not a net"):
        nets.load(broken)
    with pytest.raises(ValueError, match=r"none\.onnx: can't be read"):
        nets.load(tmp_path / "none.onnx")


def test_nets_play_matches_by_their_names() -> None:
    names = f"n4:{FILE}", "random"
    for pairing in pairings("blokus", "duo", {}, names, 2, seed=1):
        assert 0 <= played(pairing).share <= 1


def test_no_net_comes_with_a_variant_of_other_options() -> None:
    game = games.load("blokus")
    assert nets.shipped(game, game.start("two", corners="fixed").rules) is None


@pytest.mark.parametrize("name", ["n", "n0", "nx", "n-1", "n:file", "net"])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(BadNotation, match="a player is"):
        player(name)


def test_where_no_net_comes_with_a_variant_it_is_said() -> None:
    state = games.load("blokus").start("three")
    one = player("n5")
    one.begin(state, 1)
    with pytest.raises(ValueError, match="no net comes with this variant: three"):
        one.choose(state)


def test_without_pytorch_training_says_what_it_needs() -> None:
    program = (
        "import sys; sys.modules['torch'] = None; sys.argv[1:] = ['train', 'blokus', 'duo'];"
        "from tegel.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == ("tegel: 'train': training needs PyTorch: pip install 'tegel[train]'\n")
