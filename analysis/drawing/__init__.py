"""Pictures described once, as plain data, and turned into Plotly JSON, SVG, PDF and PNG.

A scene says what a picture shows (`rows`, `matrix`, `reordering`), a `look` says in which colors
and sizes. `svg` draws the Plotly JSON without a browser, `files` typesets it; pages, reports,
slides and files show the same drawing.
"""
