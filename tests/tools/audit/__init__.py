"""Does what Podium shows hold? Campaigns of known truth, and how often each claim is right.

``make audit`` measures; ``data/audit.md`` says what came out. The campaigns are drawn by
`tests.tools.audit.generator`, which shares no code with the package under audit.
"""
