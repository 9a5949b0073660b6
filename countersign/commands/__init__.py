"""What people and programs ask the app to do, on its way into the ledger."""
