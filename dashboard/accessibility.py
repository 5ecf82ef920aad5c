"""What Streamlit's own markup leaves out for those who do not see it."""

from __future__ import annotations

LISTS_OF_PAGES = """
<script>
  (() => {
    const name = () => {
      for (const pages of document.querySelectorAll('[data-testid="stSidebarNavItems"]')) {
        pages.setAttribute('role', 'group');
        pages.setAttribute('aria-label', 'Pages');
        for (const section of pages.children) {
          const header = section.querySelector('header');
          section.setAttribute('role', 'list');
          header?.setAttribute('role', 'none');
          const title = header?.querySelector('p')?.textContent;
          if (title) section.setAttribute('aria-label', title);
        }
      }
    };
    let asked = false;
    const soon = () => {
      if (asked) return;
      asked = true;
      requestAnimationFrame(() => { asked = false; name(); });
    };
    if (!window.podiumNamesPages) {
      window.podiumNamesPages = new MutationObserver(soon);
      window.podiumNamesPages.observe(document.body, { childList: true, subtree: true });
    }
    name();
  })();
</script>
"""
"""Makes each section of the navigation a list with a name; it holds nothing from data.

Streamlit lays the pages out as ``<ul> <div> <header/> <li/> …``: neither a list nor its items.
"""
