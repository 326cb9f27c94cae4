import type { Transcript } from '#contract/transcript.ts'
import { minutes } from './minutes.ts'

/** The lines of a transcript as a list of buttons: one is current, and a word of it may be lit. */
export class LineList {
  readonly #list: HTMLElement
  /** Each line and the elements of its words; null for a word that is not in the text. */
  #lines: { button: HTMLElement; words: (HTMLElement | null)[] }[] = []
  #current = -1
  #lit: HTMLElement | null = null

  constructor(list: HTMLElement) {
    this.#list = list
  }

  /** Draws the lines of a transcript; `marked` has the ids of the words to underline. */
  draw(transcript: Transcript | null, marked: ReadonlySet<number>): void {
    this.#current = -1
    this.#lines = (transcript?.cues ?? []).map(({ tStart, text, words }, index) => {
      const button = document.createElement('button')
      Object.assign(button, { type: 'button', tabIndex: index === 0 ? 0 : -1, lang: transcript!.language })
      button.append(elementWith('small', minutes(tStart)))
      let end = 0
      const elements = words.map((word) => {
        const start = text.indexOf(word.text, end)
        if (start < 0) return null
        const element = elementWith('span', word.text)
        if (word.wordIds?.some((id) => marked.has(id))) element.className = 'marked'
        button.append(text.slice(end, start), element)
        end = start + word.text.length
        return element
      })
      button.append(text.slice(end))
      return { button, words: elements }
    })
    this.#list.replaceChildren(...this.#lines.map(({ button }) => elementWith('li', button)))
    this.#list.hidden = this.#lines.length === 0
  }

  /** Makes a line the current one, in view; none if there is no such line. */
  show(index: number): void {
    this.light(-1)
    this.#lines[this.#current]?.button.removeAttribute('aria-current')
    this.#current = index
    const button = this.#lines[index]?.button
    if (!button) return
    button.setAttribute('aria-current', 'true')
    // Not scrollIntoView, which would scroll the page, too.
    this.#list.scrollTop = button.offsetTop - (this.#list.clientHeight - button.offsetHeight) / 3
  }

  /** Lights up a word of the current line; none if there is no such word. */
  light(word: number): void {
    this.#lit?.classList.remove('lit')
    this.#lit = this.#lines[this.#current]?.words[word] ?? null
    this.#lit?.classList.add('lit')
  }

  /** Which line and which of its words an element is in; -1 for none. */
  find(element: Element | null): { line: number; word: number } {
    const line = this.#lines.findIndex(({ button }) => button.contains(element))
    return { line, word: this.#lines[line]?.words.indexOf(element as HTMLElement) ?? -1 }
  }

  /** Makes a line the one that the Tab key leads to: one stop for all of them. */
  focusable(index: number): HTMLElement | undefined {
    const line = this.#lines[index]
    if (line) for (const { button } of this.#lines) button.tabIndex = button === line.button ? 0 : -1
    return line?.button
  }
}

function elementWith(name: string, content: string | Node): HTMLElement {
  const made = document.createElement(name)
  made.append(content)
  return made
}
