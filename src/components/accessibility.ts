/**
 * What Starlight leaves open to those who hear or speak a page: where the search button shows its shortcut, its name is to hold what is seen
 * (WCAG 2.5.3). Where it shows a picture alone, the label stays.
 */
const button = document.querySelector<HTMLElement>('button[data-open-modal]')
const shown = button?.querySelector('span')
const label = button?.getAttribute('aria-label') ?? 'Search'
const isWide = matchMedia('(min-width: 50rem)')

function nameButton(): void {
  shown?.removeAttribute('aria-hidden')
  if (isWide.matches) button?.removeAttribute('aria-label')
  else button?.setAttribute('aria-label', label)
}

nameButton()
isWide.addEventListener('change', nameButton)

/** A table that is wider than its place scrolls: it is then to be reached by the keyboard (WCAG 2.1.1). */
function reachTables(): void {
  for (const table of document.querySelectorAll<HTMLElement>('.sl-markdown-content table')) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0
    else table.removeAttribute('tabindex')
  }
}

reachTables()
window.addEventListener('resize', reachTables)

export {}
