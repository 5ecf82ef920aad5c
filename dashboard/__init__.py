"""Podium's dashboard: a Streamlit front end over the ``analysis`` package.

How a page is made. A page is a module in ``views/`` with one function ``show()`` of four beats::

    def show() -> None:
        context = require_campaign()                 # what the sidebar chose, frozen
        top = st.slider(...)                         # this page's own controls
        result = compute.remember(context, ("judge weights", top), lambda: weights(...))
        headline(context, "Judges", finding_in_words)
        result_card(context, "judge-weights", figure=..., frame=..., words=...)

and is listed in ``navigation.PAGES``; a listed page whose module is missing is not shown. Errors
of the analysis (`PodiumError`) need no handling: the navigation shows their sentence.

Widgets keep themselves in the link with ``key=…, bind="query-params"``. What may come and go above
such a widget belongs into a container of its own (`st.container()`), so that the widget keeps its
place; else the browser drops its setting from the link.

- ``context``: `ViewContext`, all that a page may know of the user's choices.
- ``compute``: the only caches. Everything slower than a few milliseconds goes through
  `compute.remember`, whose key is completed by the campaign's fingerprint and the selection.
- ``state``: the only session state, and the link.
- ``figures``: pure builders, result in, `go.Figure` out; look in ``figures.theme``.
- ``widgets``: ``result_card`` (`headline`, `show_ranking` with its previews, `result_card`,
  `show_figure`, `downloads`), ``progress``, the sidebar, the ranker's form.
- ``typography``: numbers for reading, and names from data made harmless.
"""
