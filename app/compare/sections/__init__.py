"""What is under the picture of the Compare page, and the place where a trace file is brought."""
