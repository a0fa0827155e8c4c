"""What a host of the server does on the command line: accounts, ratings, fair play."""
