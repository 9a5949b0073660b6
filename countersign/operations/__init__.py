"""Operations as a whole: kept, changed, shown, and carried from step to step."""
