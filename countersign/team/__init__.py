"""The research team: plan, research, check and write, each a single step over untrusted sources.

    plan ─► research, per subtopic ─► claims.merged ─► quotes.checked ─► fact_checker.check
         ─► fact_checker.supported ─► writer.write ─► report.to_markdown

The caller runs the steps, and repeats them when the fact-checker says no. Whatever a model
answers, code decides what counts: a quote that doesn't stand in its source supports nothing, and
a report can cite supported claims only.
"""
