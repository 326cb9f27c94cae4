import type { Transcript } from '../operations.ts'
import { minutes } from './minutes.ts'

/** The lines of a transcript as a list of buttons: one is current, and a word of it may be lit. */
export class LineList {
  readonly #list: HTMLElement

  constructor(list: HTMLElement) {
    this.#list = list
  }

  /** Draws the lines of a transcript; `marked` has the ids of the words to underline. */
  draw(transcript: Transcript | null, marked: ReadonlySet<number>): void {
    const lines = (transcript?.cues ?? []).map(({ tStart, text, words }, index) => {
      const button = elementWith('button', elementWith('small', minutes(tStart)))
      Object.assign(button, { type: 'button', tabIndex: index === 0 ? 0 : -1, lang: transcript!.language })
      let end = 0
      words.forEach((word, i) => {
        const start = text.indexOf(word.text, end)
        if (start < 0) return
        const element = elementWith('span', word.text)
        element.dataset.word = String(i)
        if (word.wordIds?.some((id) => marked.has(id))) element.className = 'marked'
        button.append(text.slice(end, start), element)
        end = start + word.text.length
      })
      button.append(text.slice(end))
      return elementWith('li', button)
    })
    this.#list.replaceChildren(...lines)
    this.#list.hidden = lines.length === 0
  }

  /** Makes a line the current one, in view; none if there is no such line. */
  show(index: number): void {
    this.light(-1)
    this.#list.querySelector('[aria-current]')?.removeAttribute('aria-current')
    const button = this.#buttons[index]
    if (!button) return
    button.setAttribute('aria-current', 'true')
    // `scrollIntoView` would also scroll the page.
    this.#list.scrollTop = button.offsetTop - (this.#list.clientHeight - button.offsetHeight) / 3
  }

  /** Lights up a word of the current line; none if there is no such word. */
  light(word: number): void {
    this.#list.querySelector('.lit')?.classList.remove('lit')
    this.#list.querySelector(`[aria-current] [data-word="${word}"]`)?.classList.add('lit')
  }

  /** Which line and which of its words an element is in; -1 for none. */
  find(element: Element | null): { line: number; word: number } {
    const line = this.#buttons.findIndex((button) => button.contains(element))
    return { line, word: Number(element?.getAttribute('data-word') ?? -1) }
  }

  /** Makes a line the one that the Tab key leads to: one stop for all of them. */
  focusable(index: number): HTMLElement | undefined {
    const button = this.#buttons[index]
    if (button) for (const each of this.#buttons) each.tabIndex = each === button ? 0 : -1
    return button
  }

  get #buttons(): HTMLElement[] {
    return [...this.#list.querySelectorAll('button')]
  }
}

function elementWith(name: string, content: string | Node): HTMLElement {
  const element = document.createElement(name)
  element.append(content)
  return element
}
