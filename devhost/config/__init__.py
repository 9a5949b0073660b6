"""What the app's host.json, its settings and its local.settings.json say."""
