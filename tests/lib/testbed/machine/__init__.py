"""What the state machine of the approvals is made of: people, their commands, and a witness."""
