import { render } from 'lit-html'

/** Returns the element with this id. @throws {Error} the page has none */
export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element #${id}`)
  return element as T
}

/** Replaces the content of the element with this id. */
export function showIn(id: string, content: unknown): void {
  const fragment = new DocumentFragment()
  render(content, fragment)
  byId(id).replaceChildren(fragment)
}
