"""A local host that runs a Python Azure Functions app with Durable Functions."""
