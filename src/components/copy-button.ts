import { button } from './html.ts'

/** A button that copies a text and says so. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const made = button(label, () => void copyFrom(made, text()))
  made.className = 'copy'
  return made
}

/** Copies a text and says so on the button, for a moment. */
export async function copyFrom(pressed: HTMLButtonElement, text: string): Promise<void> {
  const label = pressed.textContent
  await navigator.clipboard.writeText(text)
  pressed.textContent = 'Copied'
  setTimeout(() => (pressed.textContent = label), 1500)
}
