"""Training, small and on the processor: it learns, goes on where it ended, and gives a net that
plays."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clusters import Cluster, dask, waited
from tegel import games
from tegel.games.blokus import GAME as BLOKUS
from tegel.net import curve
from tegel.search import kernel, nets
from tegel.search.kernel import Thinker

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.skipif(not nets.GAMES, reason="the native engine was not built"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # of PyTorch's own export
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

SMALL = [
    "--blocks", "2", "--width", "16", "--device", "cpu", "--games", "8", "--threads", "1",
    "--first", "6", "--later", "6", "--batch", "32", "--least", "60",
]  # fmt: skip


def plan(folder: Path) -> Any:
    from tegel.net.model import Size
    from tegel.net.train import Plan

    return Plan(
        "blokus", "duo", folder, minutes=0.1, size=Size(2, 16), device="cpu", games=8, threads=1,
        simulations=(6, 6), considered=(4, 4), batch=32, least=60, every=1.0,
    )  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a short slice, which learned."""
    from tegel.net.train import Training

    folder = tmp_path_factory.mktemp("training") / "duo"
    training = Training(plan(folder), lambda _: None)
    while training.steps < 10:  # on a busy machine it takes a while
        training.run()
    yield folder
    shutil.rmtree(folder)


def test_it_learns(tmp_path: Path) -> None:
    """From the same lessons again and again: losses fall."""
    from tegel.net.train import Training

    training = Training(replace(plan(tmp_path / "duo"), minutes=1.0), lambda _: None)
    training.plan = replace(training.plan, minutes=0.05, total=99.0, least=10**9)
    while training.replay.size < 200:
        training.run()

    def told(steps: int) -> list[float]:
        training.pupil.told()
        for _ in range(steps):
            training.learn()
        return training.pupil.told()

    first, _, last = told(8), told(200), told(8)
    for before, after in zip(first[:4], last[:4], strict=True):
        assert after < before - 0.02


def test_a_slice_leaves_all_that_is_needed(trained: Path) -> None:
    assert {path.name for path in trained.iterdir()} == {
        "net.pt", "net.onnx", "card.json", "curve.csv", "curve.svg", "lessons-0.npz",
    }  # fmt: skip
    assert all(path.stat().st_size < 16_000_000 for path in trained.iterdir())
    card = json.loads((trained / "card.json").read_text("utf-8"))
    assert (card["game"], card["variant"], card["gpu"]) == ("blokus", "duo", "none")
    assert card["steps"] > 0
    rows = curve.rows(trained / "curve.csv")
    assert rows
    assert [row["minutes"] for row in rows] == sorted(row["minutes"] for row in rows)


def test_the_net_plays_as_the_network_thinks(trained: Path, tmp_path: Path) -> None:
    import numpy as np

    from tegel.net.model import said
    from tegel.net.train import Training

    state = games.load("blokus").start("duo")
    net = nets.Onnx(trained / "net.onnx").fits(kernel.shape(state))
    thinker = Thinker(state, 1, net)
    assert thinker.consider(20)[0].visits
    (planes, scalars, _, _), _ = thinker.engine.native.look()
    copied = shutil.copytree(trained, tmp_path / "copy")
    mean = Training(plan(copied), lambda _: None).pupil.mean.eval()
    with torch.no_grad():
        policy, raw, _ = mean(torch.from_numpy(planes), torch.from_numpy(scalars))
    ours = net(planes, scalars)
    assert np.allclose(policy.numpy(), ours[0], atol=1e-3)
    assert np.allclose(said(raw).numpy(), ours[1], atol=1e-3)


def test_it_goes_on_where_it_ended(trained: Path, tmp_path: Path) -> None:
    from tegel.net.train import Training

    folder = shutil.copytree(trained, tmp_path / "more")
    first = Training(plan(folder), lambda _: None)
    steps, minutes, games = first.steps, first.minutes, first.games
    assert steps > 0
    assert first.replay.size > 0
    first.run()
    second = Training(plan(folder), lambda _: None)
    assert second.steps == first.steps > steps
    assert second.games == first.games > games
    assert second.minutes == pytest.approx(first.minutes, abs=0.03)
    assert first.minutes == pytest.approx(minutes + 0.1, abs=0.09)


def test_sizes_beside_have_files_of_their_own(tmp_path: Path) -> None:
    """Together the largest ones would not be under 16 MB."""
    from tegel.net.model import Size
    from tegel.net.train import Training

    sizes = (Size(8, 64), Size(7, 64))
    asked = replace(plan(tmp_path), beside=sizes)
    training = Training(asked, lambda _: None)
    training.began = 0.0
    for pupil in training.pupils:  # what optimisers remember counts
        for one in pupil.net.parameters():
            one.grad = torch.ones_like(one)
        pupil.optimiser.step()
    training.save_net()
    assert all(path.stat().st_size < 16_000_000 for path in tmp_path.iterdir())
    again = Training(asked, lambda _: None)
    for number in range(3):
        old, new = (one.pupils[number].saved()["net"] for one in (training, again))
        assert all(torch.equal(old[name], new[name]) for name in old)


@pytest.mark.parametrize("wrong", ["variant", "size", "broken"])
def test_other_weights_are_refused_in_one_sentence(
    trained: Path, tmp_path: Path, wrong: str
) -> None:
    from tegel.net.model import Size
    from tegel.net.train import Training

    folder = shutil.copytree(trained, tmp_path / wrong)
    asked = plan(folder)
    if wrong == "broken":
        (folder / "net.pt").write_bytes(b"nothing")
    elif wrong == "variant":
        asked = replace(asked, variant="two")
    else:
        asked = replace(asked, size=Size(2, 24))
    with pytest.raises(ValueError, match=r"net\.pt: (a training of|not a training)"):
        Training(asked, lambda _: None)


@pytest.mark.parametrize("name", ["net.pt", "net.onnx", "card.json", "curve.svg", "lessons-0.npz"])
def test_what_was_saved_stays_when_the_disk_is_full(
    trained: Path, tmp_path: Path, name: str
) -> None:
    """One file after the other finds no room (`/dev/full` never has any)."""
    folder = shutil.copytree(trained, tmp_path / "full")
    before = (folder / name).read_bytes()
    (folder / f"{name}.new").symlink_to("/dev/full")
    words = ["train", "blokus", "duo", "--folder", str(folder), "--minutes", "0.05", *SMALL]
    done = subprocess.run([sys.executable, "-m", "tegel", *words], capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    said = done.stderr.splitlines()[-1]
    assert "No space left on device" in said
    assert "Traceback" not in done.stderr
    assert (folder / name).read_bytes() == before
    assert not list(folder.glob("*.new"))


# Beginning with another net


def test_a_net_begins_with_what_the_same_one_in_bytes_knows() -> None:
    """It says nearly what that one says, while it learns as well as when it plays."""
    from tegel.net import rollouts, transfer
    from tegel.net.model import Network, Size

    path = nets.FOLDER / "imago" / "nets" / "shapes.onnx"
    played = games.load("imago")
    start = played.start("shapes")
    net = Network(kernel.shape(start), Size(6, 48))
    assert transfer.begin(net, path, "imago", "shapes") == ["owners"]
    assert played.kernel
    planes, scalars = rollouts.positions("imago", list(played.kernel.pack(start)), seed=2)
    said, _ = nets.load(path)(planes, scalars)
    for learning in (False, True):
        with torch.no_grad():
            policy, _, _ = net.train(learning)(torch.from_numpy(planes), torch.from_numpy(scalars))
        alike = (policy.numpy().argmax(1) == said.argmax(1)).mean()
        assert alike > (0.6 if learning else 0.75)


def test_planes_begin_as_those_that_mean_the_same() -> None:
    from tegel.net import transfer

    theirs = ["board 0", "own stock 0", "needed"]
    own = ["board 0", "board 1", "needed", "own stock 3", "asked"]
    assert transfer.answers(own, theirs) == [0, 0, 2, 1, -1]
    stem = torch.arange(4.0).view(1, 4, 1, 1)
    spread = transfer.spread(stem, transfer.answers(own, theirs), after=1)
    assert spread.flatten().tolist() == [0, 0, 2, 1, 0, 3]
    layer = torch.arange(5.0).view(1, 5)
    spread = transfer.spread(layer, transfer.answers(own, theirs), before=2)
    assert spread.flatten().tolist() == [0, 1, 2, 2, 4, 3, 0]


def test_four_players_begin_with_the_moves_of_two() -> None:
    """Where the same colours stand on the same board, and nobody is favoured yet."""
    from tegel.games.blokus.planes import labels
    from tegel.net import rollouts, transfer
    from tegel.net.model import Network, Size, said

    path = nets.FOLDER / "blokus" / "nets" / "two.onnx"
    played = BLOKUS
    start = played.start("classic")
    net = Network(kernel.shape(start), Size(6, 48)).eval()
    assert set(transfer.begin(net, path, "blokus", "classic")) == {"values", "owners"}
    assert played.kernel
    planes, scalars = rollouts.positions("blokus", list(played.kernel.pack(start)), seed=2)
    own, names = labels(start), labels(played.start("two"))
    pairs = np.zeros((len(scalars), len(names)), np.float32)  # the same, in the words of two
    for number, name in enumerate(names):
        words = name.split()
        if words[1] in ("scores", "moved"):  # colours 0 and 2 are one side's, 1 and 3 the other's
            pairs[:, number] = int(words[0]) % 2 == int(words[-1])
        else:
            pairs[:, number] = scalars[:, own.index(name)]
    theirs, _ = nets.load(path)(planes, pairs)
    with torch.no_grad():
        policy, raw, _ = net(torch.from_numpy(planes), torch.from_numpy(scalars))
    assert (policy.numpy().argmax(1) == theirs.argmax(1)).mean() > 0.5
    assert torch.allclose(said(raw)[:, :, 0], torch.tensor(0.25))


def test_a_training_begins_with_a_net_of_a_related_variant(tmp_path: Path) -> None:
    from tegel.net.model import Size
    from tegel.net.train import Training

    told: list[str] = []
    two = nets.FOLDER / "blokus" / "nets" / "two.onnx"
    asked = replace(plan(tmp_path / "four"), variant="classic", size=Size(6, 48), known=two)
    training = Training(asked, told.append)
    assert "begins with two.onnx" in told[0]
    assert "blocks" not in told[0]
    assert "policy" not in told[0]
    assert "values" in told[0]  # of four sides instead of two
    training.began = time.monotonic()
    training.save_net()
    again = Training(replace(asked, known=None, start=9.0), told.append)  # the next slice
    for card in (json.loads((tmp_path / "four" / "card.json").read_text("utf-8")), again.card(1)):
        assert card["settings"]["known"] == "two.onnx"
        assert card["settings"]["start"] == 0
    Training(asked, told.append)
    other = nets.FOLDER / "blokus" / "nets" / "duo.onnx"
    with pytest.raises(ValueError, match=r"net\.pt: a training that began with two\.onnx"):
        Training(replace(asked, known=other), told.append)


@pytest.mark.parametrize("card", ["{", "[]", "{}"])
def test_a_broken_card_is_named(tmp_path: Path, card: str) -> None:
    from tegel.net import transfer

    (tmp_path / "net.json").write_text(card, "utf-8")
    with pytest.raises(ValueError, match=r"net\.json: not the card of a net"):
        transfer.variant_of(tmp_path / "net.onnx", "blokus")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"size": (2, 16)}, "two.onnx: a net of 6x48, not of 2x16"),
        ({"game": "imago", "variant": "shapes"}, "two.onnx: a net of another game: blokus"),
        ({"known": "nowhere.onnx"}, "nowhere.onnx: can't be read"),
        ({"known": "two.json"}, "two.json: not a net"),
    ],
)
def test_what_it_cant_begin_with_is_said_in_one_sentence(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    from tegel.net.model import Size
    from tegel.net.train import Training

    folder = nets.FOLDER / "blokus" / "nets"
    known = folder / changes.pop("known", "two.onnx")
    size = Size(*changes.pop("size", (6, 48)))
    asked = replace(plan(tmp_path), variant="two", size=size, known=known)
    with pytest.raises(ValueError, match=said):
        Training(replace(asked, **changes), lambda _: None)


def test_no_gpu_is_said_in_one_sentence(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is one")
    from tegel.net.train import Training

    with pytest.raises(ValueError, match="there is no GPU"):
        Training(replace(plan(tmp_path), device="cuda"), lambda _: None)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with dask() as found:
        yield found


def test_workers_elsewhere_play_too_and_one_may_die(cluster: Cluster, tmp_path: Path) -> None:
    """A real scheduler with two workers, each with its own games."""
    from tegel.executors import executor
    from tegel.net.train import Training

    address, workers = cluster
    waited(address, 2)
    wish = replace(plan(tmp_path / "duo"), minutes=0.15, least=10**9)
    with executor(cluster=address) as pool:
        training = Training(wish, lambda _: None, pool)
        while not training.sent:
            training.run()
        workers[0].kill()
        before = training.sent
        while training.sent == before:
            training.run()
    assert training.sent < training.lessons, "it plays itself as well"
    assert training.replay.size == training.lessons
    assert (tmp_path / "duo" / "net.onnx").exists()
