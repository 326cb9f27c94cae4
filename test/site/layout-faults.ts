/**
 * Runs in a page. Lists what its layout gets wrong at the width of the window: content wider than
 * the page or than a box that cuts it, code that has to be scrolled sideways, a header whose parts
 * overlap or stick out, and words that are split between two lines.
 */
export function layoutFaults(): string[] {
  const name = (element: Element) =>
    `<${element.tagName.toLowerCase()} class="${element.className}"> “${(element.textContent ?? '').trim().slice(0, 30)}”`
  const isVisible = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1 && getComputedStyle(element).visibility !== 'hidden'
  }
  const faults: string[] = []
  const over = document.documentElement.scrollWidth - window.innerWidth
  if (over > 0) faults.push(`the page is ${over} px too wide`)

  const isClipped = (value: string) => value === 'hidden' || value === 'clip'
  for (const element of document.querySelectorAll('body *')) {
    if (!(element instanceof HTMLElement) || !isVisible(element)) continue
    const cutWidth = element.scrollWidth - element.clientWidth
    if (cutWidth <= 1 || element.clientWidth <= 1) continue
    const isCode = element.matches('pre')
    if (isCode || isClipped(getComputedStyle(element).overflowX))
      faults.push(`${name(element)} is cut by ${cutWidth} px`)
  }

  const header = document.querySelector('header')!.getBoundingClientRect()
  const parts = [...document.querySelectorAll('header :is(a, button.open-search, select, summary)')]
    .filter((part) => isVisible(part) && !part.closest('.content'))
    .map((part) => ({ part, box: part.getBoundingClientRect() }))
  for (const { part, box } of parts) {
    if (box.left < 0 || box.right > innerWidth || box.top < header.top || box.bottom > header.bottom)
      faults.push(`${name(part)} sticks out of the header`)
    for (const other of parts) {
      if (other.part === part || part.compareDocumentPosition(other.part) & 2) continue
      const isApart =
        box.right <= other.box.left ||
        other.box.right <= box.left ||
        box.bottom <= other.box.top ||
        other.box.bottom <= box.top
      if (!isApart) faults.push(`${name(part)} overlaps ${name(other.part)}`)
    }
  }

  const range = document.createRange()
  for (const element of document.querySelectorAll(
    'main :is(h1, h2, h3, h4, th, td, dt, label, button, a, p)',
  )) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement!.closest('code, pre, [hidden], details:not([open])')) continue
      range.selectNodeContents(node)
      if (range.getClientRects().length < 2) continue
      for (const { index, 0: word } of node.nodeValue!.matchAll(/\p{Script=Latin}{2,20}/gu)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (tops.size > 1) faults.push(`“${word}” is split in ${name(element)}`)
      }
    }
  }
  return [...new Set(faults)]
}
