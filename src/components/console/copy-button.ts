import { element } from '../cards/dom.ts'

/** A button that copies a text and says so. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, label)
  button.addEventListener('click', () => void copyFrom(button, text()))
  return button
}

/** Copies a text and says so on the button, for a moment. */
export async function copyFrom(button: HTMLButtonElement, text: string): Promise<void> {
  const label = button.textContent
  await navigator.clipboard.writeText(text)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = label), 1500)
}
