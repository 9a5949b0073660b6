"""Notices: what people hear of an operation without looking, over whatever channel they use."""
