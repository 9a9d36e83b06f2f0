"""What the seven files of the transformer rely on: masks, cache, input checks, vocabularies, weights from elsewhere."""
