"""Messages to people who are away."""
