"""Machine judges beside people: how far they agree, and what their votes are worth.

`beside` lays a machine's votes beside people's, `agreement` measures them where both judged the
same, `prediction_powered` makes standings of few votes of people and many of a machine, and
`random_share` says whether that may be done.
"""
