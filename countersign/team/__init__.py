"""The research team: plan, research, check, write and proofread, over untrusted sources.

    plan ─► research, per subtopic ─► claims.merged ─► quotes.checked ─► fact_checker.check
         ─► writer.write ─► proofreader.proofread ─► report.to_markdown

The caller runs the steps, and repeats them when the fact-checker says no. Whatever a model
answers, code decides what counts: a quote that doesn't stand in its source supports nothing, every
sentence of a report cites a supported claim, and what it says beyond the quotes that it cites is
marked for its reviewer.
"""
