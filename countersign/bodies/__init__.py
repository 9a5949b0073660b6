"""What requests carry and what is offered for approval: strict models that each kind extends."""
