/** The appearance of the headings, the focus and the header of a page, each as a line of text. */
export interface Design {
  /** Such as `h2 25.6px`. */
  headings: string[]
  outlines: string[]
  /** The positions of the search and of the menu button. */
  places: string[]
  /** Marks such as `.` that a line begins with, each behind the code that it belongs to. */
  strandedMarks: string[]
}

/** Runs in a page. Reads its design at the width of the window. */
export function readDesign(): Design {
  const isVisible = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(isVisible)

  const headings = all('h1, h2, h3').map(
    (heading) => `${heading.localName} ${getComputedStyle(heading).fontSize}`,
  )
  const outlines = all(
    'a[href], button:not(:disabled), input, select, textarea, summary, [tabindex="0"]',
  ).map((element) => {
    // `focusVisible` is not in the types yet.
    element.focus({ focusVisible: true } as FocusOptions)
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element)
    return `${outlineStyle} ${outlineWidth} ${outlineColor}`
  })
  scrollTo(0, 0)
  const places = all('.open-search, .sl-menu-button').map((button) => {
    const { left, top, width, height } = button.getBoundingClientRect()
    return `${button.className.split(' ')[0]} ${[left, top, width, height].map(Math.round).join(' ')}`
  })
  const strandedMarks = all('main :is(p, li) code').flatMap((code) => {
    const text = code.nextSibling
    const mark = text?.nodeType === 3 && /^[.,;:!?)\]’”]/.exec(text.nodeValue!)?.[0]
    if (!mark) return []
    const range = document.createRange()
    range.setStart(text!, 0)
    range.setEnd(text!, 1)
    const { bottom } = [...code.getClientRects()].at(-1)!
    return range.getBoundingClientRect().top > bottom - 4 ? [`${code.textContent} | ${mark}`] : []
  })
  return { headings, outlines, places, strandedMarks }
}

/** Runs in a page on paper. Lists what is cut off, or too light to read. */
export function printFaults(): string[] {
  const faults: string[] = []
  const elements = [...document.querySelectorAll<HTMLElement>('main, main *')]
  const shadowed = elements.flatMap(({ shadowRoot }) => [
    ...(shadowRoot?.querySelectorAll<HTMLElement>('*') ?? []),
  ])
  for (const element of [...elements, ...shadowed]) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.clientWidth <= 1) continue
    const { overflowX, overflowY, color } = getComputedStyle(element)
    const name = `<${element.localName} class="${element.className}">`
    const isWide = element.scrollWidth > element.clientWidth + 1
    const isHigh = element.scrollHeight > element.clientHeight + 1
    if (isWide && (element.localName === 'pre' || overflowX !== 'visible'))
      faults.push(`${name} is cut sideways`)
    if (isHigh && overflowY !== 'visible' && element.clientHeight > 1) faults.push(`${name} is cut below`)
    // Less than a line sticks out of many boxes, such as those of code.
    if (element.scrollHeight > element.clientHeight + 16 && overflowY === 'visible')
      faults.push(`${name} covers what follows it`)
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.nodeValue!.trim() !== '',
    )
    const [red, green, blue] = color.match(/[\d.]+/g)!.map(Number) as [number, number, number]
    const isLight = 0.3 * red + 0.6 * green + 0.1 * blue > 150
    if (hasText && isLight && color.startsWith('rgb')) faults.push(`${name} is printed in ${color}`)
  }
  return [...new Set(faults)]
}

/** Runs in a page without scripts. Lists frames and gaps that show nothing. */
export function emptyBoxes(): string[] {
  const content = 'img, svg, input, select, button, iframe, progress, hr'
  return [...document.querySelectorAll<HTMLElement>('main *')]
    .filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true })) return false
      if (element.closest('svg, table, pre') || element.matches(content)) return false
      const { width, height } = element.getBoundingClientRect()
      const { borderTopWidth, backgroundColor } = getComputedStyle(element)
      const isFrame = borderTopWidth !== '0px' || backgroundColor !== 'rgba(0, 0, 0, 0)'
      const isEmpty = element.innerText.trim() === '' && !element.querySelector(content)
      return isEmpty && width > 40 && (height > 200 || (isFrame && height > 24))
    })
    .map(({ localName, id, className }) => `<${localName} id="${id}" class="${className}"> is empty`)
}
