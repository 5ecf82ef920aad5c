"""Any figure in Plotly JSON as SVG, drawn here and so without a browser.

Plotly draws in a browser only. What the figures use of it (lines, markers, text, bars, boxes,
heatmaps, shapes, notes) is little enough to be drawn here: from the same JSON, in the same colors.
"""

from analysis.drawing.svg.picture import figure_svg, picture_file, svg_body

__all__ = ["figure_svg", "picture_file", "svg_body"]
