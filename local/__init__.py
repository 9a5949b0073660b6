"""Run the app on a developer's machine: `start` for work, `demo` to see what it promises."""
