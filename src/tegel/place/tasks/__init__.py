"""Long computations: what the pool's processes run."""
