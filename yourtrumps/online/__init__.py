"""Online play: rooms agree on one game, whoever sits where and on whichever server."""
