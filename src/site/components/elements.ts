import { render } from 'lit-html'

/** The element with this id. @throws {Error} when the page lacks it */
export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element #${id}`)
  return element as T
}

/** Shows something new in the element with this id, in the place of all that it had. */
export function showIn(id: string, content: unknown): void {
  const fragment = new DocumentFragment()
  render(content, fragment)
  byId(id).replaceChildren(fragment)
}
