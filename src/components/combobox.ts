/**
 * Makes a field a combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/): the arrow keys
 * lead through the options of a list while the focus stays in the field, Enter chooses, Escape
 * closes. Returns what shows options in the list; without options, it is closed.
 */
export function combobox(
  field: HTMLInputElement,
  list: HTMLElement,
  choose: (option: Element) => void,
): (options: readonly HTMLElement[]) => void {
  const show = (options: readonly HTMLElement[]) => {
    options.forEach((option, i) => Object.assign(option, { id: `${list.id}-${i}`, role: 'option' }))
    list.replaceChildren(...options)
    list.hidden = options.length === 0
    field.ariaExpanded = String(!list.hidden)
    mark(null)
  }
  const mark = (option: Element | null) => {
    for (const each of list.children) each.ariaSelected = String(each === option)
    if (option) field.setAttribute('aria-activedescendant', option.id)
    else field.removeAttribute('aria-activedescendant')
    option?.scrollIntoView({ block: 'nearest' })
  }
  const take = (option: Element) => {
    show([])
    choose(option)
  }
  const press = (event: KeyboardEvent) => {
    if (list.hidden || event.isComposing) return
    const marked = list.querySelector('[aria-selected=true]')
    if (event.key === 'ArrowDown') mark(marked ? marked.nextElementSibling : list.firstElementChild)
    else if (event.key === 'ArrowUp') mark(marked ? marked.previousElementSibling : list.lastElementChild)
    else if (event.key === 'Escape') show([])
    else if (event.key === 'Enter' && marked) take(marked)
    else return
    event.preventDefault()
  }
  field.addEventListener('keydown', press)
  field.addEventListener('blur', () => show([]))
  // The focus stays in the field.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = (target as Element).closest('[role=option]')
    if (option) take(option)
  })
  return show
}
