"""What outlives the process: the data folder, and the file in it that keeps all state."""
