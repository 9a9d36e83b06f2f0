"""Where models run: in this process, or at a trace service that several processes share."""
