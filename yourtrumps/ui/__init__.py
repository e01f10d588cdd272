"""What people see: the card table, the pages around it, and the server."""
