import { html, render } from 'lit-html'

/** An option of a combobox: its value and its content. */
export type Option = [value: string, content: unknown]

/**
 * Turns a field into a combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/). The arrow
 * keys move through the options while the focus stays in the field, Enter selects an option, and
 * Escape closes the list. Returns a function that shows options; without options, it closes the
 * list.
 */
export function combobox(field: HTMLInputElement, list: HTMLElement, choose: (value: string) => void) {
  let options: readonly Option[] = []
  let activeIndex = -1
  const show = (nextOptions: readonly Option[], at = -1) => {
    options = nextOptions
    activeIndex = at
    const optionOf = ([value, content]: Option, i: number) =>
      html`<li id="${list.id}-${i}" role="option" aria-selected=${i === at} @click=${() => take(value)}>
        ${content}
      </li>`
    render(options.map(optionOf), list)
    list.hidden = options.length === 0
    field.ariaExpanded = String(!list.hidden)
    list.children[at]?.scrollIntoView({ block: 'nearest' })
    if (at < 0) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', `${list.id}-${at}`)
  }
  const take = (value: string) => {
    show([])
    choose(value)
  }
  field.addEventListener('keydown', (event) => {
    if (list.hidden || event.isComposing) return
    const last = options.length - 1
    if (event.key === 'ArrowDown') show(options, activeIndex === last ? -1 : activeIndex + 1)
    else if (event.key === 'ArrowUp') show(options, activeIndex < 0 ? last : activeIndex - 1)
    else if (event.key === 'Escape') show([])
    else if (event.key === 'Enter' && activeIndex >= 0) take(options[activeIndex]![0])
    else return
    event.preventDefault()
  })
  field.addEventListener('blur', () => show([]))
  // Keeps the focus in the field.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  return show
}
