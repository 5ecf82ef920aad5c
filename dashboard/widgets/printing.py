"""A page on paper: as wide as on the screen, so that no figure is drawn anew while it prints."""

from __future__ import annotations

KEEP_WIDTH = """
<script>
  (() => {
    if (window.podiumPrints) return;
    window.podiumPrints = true;
    window.addEventListener('beforeprint', () => {
      const block = document.querySelector('.stMainBlockContainer');
      if (!block) return;
      const style = getComputedStyle(block);
      const width =
        block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const root = document.documentElement.style;
      root.setProperty('--podium-width', width + 'px');
      root.setProperty('--podium-zoom', Math.min(1, 1030 / width));
    });
  })();
</script>
"""
"""Tells the rules for print in `design.CSS` how wide the page is; A4 across has 1,030 pixels."""
