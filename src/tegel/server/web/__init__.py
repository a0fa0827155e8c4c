"""HTTP and sockets: the gate, the routes, the page."""
