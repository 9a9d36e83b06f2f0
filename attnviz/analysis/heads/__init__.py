"""What heads do, in numbers: metrics, kinds, measurements over sentences. Reads traces; draws nothing."""
