"""The rooms that are open on this worker: acting in them, watching them, what is due in them."""
