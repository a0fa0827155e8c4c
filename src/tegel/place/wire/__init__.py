"""What goes over the wire: messages of the socket, answers over HTTP, and rooms made into them."""
