"""Many games of Blokus at once where the net is: on a GPU, over PyTorch's tensors.

    from tegel.env.gpu import Batch

    batch = Batch("duo", count=65536, device="cuda")
    batch.reset(seed=1)
    while True:
        actions = choose(batch.planes, batch.scalars, batch.mask)  # yours; or batch.sample()
        batch.step(actions)

Names and meanings are those of `tegel.env.batch`: the same planes, scalars and actions, as tensors
that belong to the batch and are written anew by every step. `roll(n)` makes n random moves in every
game and shows only where they led. On CUDA Triton's kernels do it; elsewhere plain PyTorch does,
slowly, and that is what the law checks.

>>> batch = Batch("duo", count=2)
>>> batch.reset(seed=7)
>>> tuple(batch.planes.shape), int(batch.mask[0].sum()), batch.mover.tolist()
((2, 10, 14, 14), 414, [0, 0])
>>> batch.step(batch.sample())
>>> batch.mover.tolist(), batch.done.tolist()
([1, 1], [False, False])
"""

try:
    import torch as _  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"games on a GPU need {error.name}: pip install 'tegel[train]'", name=error.name
    ) from None

from tegel.env.gpu.batch import Batch

__all__ = ["Batch"]
