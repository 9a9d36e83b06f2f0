"""Models in GGUF files, the format of llama.cpp, Ollama and LM Studio: read whole from the one file, or refused."""
