"""Models that run in another process: at a trace service that several web processes share."""
