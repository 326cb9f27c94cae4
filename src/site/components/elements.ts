import { render } from 'lit-html'

/** The element with this id. @throws {Error} when the page lacks it */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no element #${id}`)
  return found as T
}

/** Shows something new in the element with this id, in the place of all that it had. */
export function showIn(id: string, content: unknown): void {
  const made = new DocumentFragment()
  render(content, made)
  byId(id).replaceChildren(made)
}
