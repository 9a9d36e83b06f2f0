"""Models that other programs keep on this computer: Ollama, LM Studio, the Hugging Face cache. Nothing is written."""
