/** Creates an element with this content. */
export function elementWith(name: string, ...content: (string | Node)[]): HTMLElement {
  const element = document.createElement(name)
  element.append(...content)
  return element
}
