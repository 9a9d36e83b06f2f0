"""What can stand beside one head, as blocks of a panel: why it looks there, its rollout, what silencing it does."""
