"""Podium's dashboard: a Streamlit front end over the ``analysis`` package.

How a page is made. A page is a module in ``pages/`` with one function ``show()`` of four beats::

    def show() -> None:
        context = require_campaign()                 # what the sidebar chose, frozen
        top = st.slider(...)                         # this page's own controls
        result = compute.remember(context, ("judge weights", top), lambda: weights(...))
        headline(context, "Judges", finding_in_words)
        result_card(context, "judge-weights", figure=..., frame=..., words=...)

and is listed in ``navigation.CORE_PAGES``, or in ``BRINGS`` of an extra. Errors of the analysis
(`PodiumError`) need no handling: the navigation shows their sentence. A page with sections of its
own is a package: the page stands in ``__init__``, each section in a module beside it.

Widgets keep themselves in the link with ``key=…, bind="query-params"``. What may come and go above
such a widget belongs into a container of its own (`st.container()`), so that the widget keeps its
place; else the browser drops its setting from the link.

Import order is top to bottom; `tests/test_layers.py` keeps it so:

- ``design``: every color, and the CSS.
- ``figures``: pure builders, result in, `go.Figure` out; look in ``figures.theme``.
- ``tables``: a result as a frame, and its columns as the screen shows them.
- ``session``: ``state``, the only session state; what users open, their filters and slides, the
  address bar; ``view``, all that a page may know of the user's choices.
- ``compute``: the only caches. Everything slower than a few milliseconds goes through
  `compute.remember`, whose key is completed by the campaign's fingerprint and the selection.
- ``widgets``: what several pages use: ``result_card`` (`headline`, `show_ranking` with its
  previews, `result_card`, `show_figure`, `downloads`), ``progress``, the sidebar, a ranker's form.
- ``pages``: the pages; nobody imports them but ``navigation``, by name.
"""
