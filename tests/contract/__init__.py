"""What must hold whatever the code does: checked by reading it and by replaying it."""
