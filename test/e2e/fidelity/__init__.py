"""The same requests to a real and to a simulated API server, and what may differ between their answers."""
