import { html } from 'lit-html'

/** Creates a button that copies a text and confirms it. */
export function copyButton(label: string, text: () => string) {
  const copy = ({ currentTarget }: Event) => copyFrom(currentTarget as HTMLElement, text())
  return html`<button type="button" class="copy" @click=${copy}>${label}</button>`
}

/** Copies a text and confirms it on the button for a moment. */
export async function copyFrom(button: HTMLElement, text: string): Promise<void> {
  const label = button.textContent
  await navigator.clipboard.writeText(text)
  button.textContent = 'Copied'
  setTimeout(() => (button.textContent = label), 1500)
}
