/** Makes tables that scroll reachable by the keyboard (WCAG 2.1.1). */
function reachTables(): void {
  for (const table of document.querySelectorAll<HTMLElement>('.sl-markdown-content table')) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0
    else table.removeAttribute('tabindex')
  }
}

reachTables()
window.addEventListener('resize', reachTables)

export {}
