"""The questions of the page What if: one module each, with one function `ask`.

``ask(context, head)`` shows the question's control and its answer; the finding goes into ``head``,
the place at the top of the page.
"""
