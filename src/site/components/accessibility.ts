/**
 * The search button shows its name on a wide screen only. There, the accessible name must be what
 * is seen (WCAG 2.5.3); elsewhere, the text is there for screen readers alone.
 */
const button = document.querySelector('button[data-open-modal]')
button?.removeAttribute('aria-label')
button?.querySelector('span')?.removeAttribute('aria-hidden')

/** Makes tables that scroll reachable by the keyboard (WCAG 2.1.1). */
function reachTables(): void {
  for (const table of document.querySelectorAll<HTMLElement>('.sl-markdown-content table')) {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0
    else table.removeAttribute('tabindex')
  }
}

reachTables()
window.addEventListener('resize', reachTables)

/**
 * In the search, the arrow keys go from the field to the results, from one to the next, and back.
 */
document.addEventListener('keydown', (event) => {
  const dialog = (event.target as HTMLElement).closest('dialog')
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!dialog || step === undefined) return
  const stops = [...dialog.querySelectorAll<HTMLElement>('input[type="text"], .pagefind-ui__result-link')]
  const next = stops[stops.indexOf(event.target as HTMLElement) + step]
  if (!next) return
  next.focus()
  event.preventDefault()
})

export {}
