"""What the API answers: a record for each answer and each problem, imported where one is made."""
