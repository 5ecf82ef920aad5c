"""Any figure of a page as SVG, PNG and PDF, drawn here and so without a browser.

Plotly draws in a browser only. What the builders use of it (lines, markers, text, bars, boxes,
heatmaps, shapes, notes) is little enough to be drawn again: `picture` writes SVG from the same
figure, in the same colors, and Typst makes PNG and PDF of it.
"""

from dashboard.figures.vector.picture import figure_svg, picture_file

__all__ = ["figure_svg", "picture_file"]
