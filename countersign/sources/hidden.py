"""What documents say where text in them is left out because nobody who reads them sees it."""

HIDDEN = "Hidden text is not read."
HIDDEN_ROWS = "Hidden rows and columns are not read."
