// Loaded before Azurite: the end of standard input is its sign to save everything and end. It
// comes also when the process that started it has died, and it works on Windows, unlike signals.
process.stdin.resume().on("end", () => process.emit("SIGTERM") || process.exit());
