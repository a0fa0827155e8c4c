"""Nets learned by self-play: `tegel train` (see docs/engine.md). Needs PyTorch, the extra `train`;
nothing here is needed to play with a net."""
