"""What the app stands on: clock, environment, threads, telemetry, its own identity."""
