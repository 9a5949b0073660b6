"""The same team as a graph of Agent Framework's workflows, for one machine without a host.

    planner ─► dispatcher ─► subtopic-0 … subtopic-5 ─► aggregator ─► fact_checker
                  ▲                                                       │
                  └──────────────── once more ◄───────────────────────────┤
                                                                          ├─► needs_revision
    closing ◄─ writer ◄─ publish ─ approval_gate ◄─ drafter ◄─ approved ──┘
       ▲                              │  │              ▲
       └──── rejected, withdrawn … ◄──┘  └── revise ────┘

Every effect of a step goes through the ledger and the artifacts, so a step that runs again after a
crash finds what it did. A checkpoint says where the graph was and decides nothing.
"""
