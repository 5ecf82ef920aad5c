"""Scripts of the page: a button that copies a folded text, and a page's width on paper.

A printed page is as wide as on the screen, so that no figure is drawn anew while it prints.
"""

from __future__ import annotations

from analysis.escaping import as_html

COPY_BUTTONS = """
<script>
  (() => {
    if (window.podiumCopies) return;
    window.podiumCopies = true;
    const fallBack = (text) => {
      // a page that comes neither by TLS nor from this machine has no clipboard of its own
      const area = document.createElement('textarea');
      area.value = text;
      document.body.appendChild(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      return done ? Promise.resolve() : Promise.reject();
    };
    document.addEventListener('click', (event) => {
      const button = event.target.closest?.('.podium-copy');
      if (!button) return;
      const text = button.parentElement.querySelector('code').textContent;
      const said = button.parentElement.querySelector('.podium-copied');
      const copy = navigator.clipboard ? navigator.clipboard.writeText(text) : fallBack(text);
      copy.then(() => 'Copied', () => 'Open it and copy it by hand').then((words) => {
        said.textContent = words;
        setTimeout(() => { said.textContent = ''; }, 2000);
      });
    });
  })();
</script>
"""
"""Lets every button that `folded` makes copy; it holds nothing from data."""


def folded(title: str, text: str, what: str) -> str:
    """Return a text folded under its title, beside an icon that copies it."""
    return (
        f'<div class="podium-signature"><button type="button" class="podium-copy" '
        f'title="Copy {as_html(what)}" aria-label="Copy {as_html(what)}"></button>'
        f"<details><summary>{as_html(title)}</summary><code>{as_html(text)}</code></details>"
        '<span class="podium-copied" role="status"></span></div>'
    )


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
