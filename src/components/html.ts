import { escapeUTF8 } from 'entities/escape'

/** What can stand between tags: text, elements, several of these, or nothing. */
export type Content = string | number | Node | false | null | undefined | readonly Content[]

/**
 * Makes the element that a template describes. Text stays text: nothing in an answer of the service
 * becomes markup.
 *
 *     html`<p lang="${language}">${text} ${element}</p>`
 */
export function html<E extends HTMLElement = HTMLElement>(
  markup: TemplateStringsArray,
  ...values: readonly Content[]
): E {
  const nodes: Node[] = []
  const written = (value: Content): string => {
    if (typeof value === 'string' || typeof value === 'number') return escapeUTF8(String(value))
    if (value instanceof Node) {
      nodes.push(value)
      return '<template></template>'
    }
    return value ? value.map(written).join('') : ''
  }
  const template = document.createElement('template')
  template.innerHTML = String.raw({ raw: markup }, ...values.map(written)).trim()
  for (const [i, place] of template.content.querySelectorAll('template').entries())
    place.replaceWith(nodes[i]!)
  return template.content.firstElementChild as E
}

/** A button that does something when it is pressed. */
export function button(content: Content, onPress: () => void): HTMLButtonElement {
  const made = html<HTMLButtonElement>`<button type="button">${content}</button>`
  made.addEventListener('click', onPress)
  return made
}

/** The element with this id. @throws {Error} when the page lacks it */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no element #${id}`)
  return found as T
}
