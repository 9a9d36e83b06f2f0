"""From a name or a folder to a torch module: found, checked, and loaded without running any code it brings."""
