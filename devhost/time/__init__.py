"""Clocks, and what tells times: stamps, spans and schedules."""
