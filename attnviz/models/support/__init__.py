"""What the seven files of the transformer use: masks, cache, input checks, vocabularies, published weights."""
