"""The durable management API, as the SDK's client and scripts call it."""
