import { segments } from '../helpers/highlight.ts'
import type { Transcript, TranscriptWord } from '../operations.ts'
import { elementWith } from './element-with.ts'
import { minutes } from './minutes.ts'

/**
 * The lines of a transcript: each has a button that plays it, and its words, which are buttons,
 * too. One line is current, and a word of it may be highlighted. The Tab key leads to one of the
 * buttons, and the arrow keys lead from it to all the others.
 */
export class LineList {
  readonly #list: HTMLElement

  constructor(list: HTMLElement) {
    this.#list = list
    list.addEventListener('focusin', ({ target }) => this.#makeTabStop(target as HTMLElement))
  }

  /**
   * Draws the lines of a transcript, with their translations into `gloss`. Words whose ids are in
   * `markedIds` are underlined.
   */
  draw(transcript: Transcript | null, markedIds: ReadonlySet<number>, gloss: string | undefined): void {
    const lines = (transcript?.cues ?? []).map((cue) => {
      const button = elementWith('button', minutes(cue.tStart))
      Object.assign(button, { type: 'button', tabIndex: -1, ariaLabel: `Play from ${minutes(cue.tStart)}` })
      const text = document.createElement('p')
      Object.assign(text, { lang: transcript!.language, dir: 'auto' })
      for (const { text: part, word, index } of segments(cue))
        text.append(word ? wordElement(part, word, index, markedIds) : part)
      const translation = gloss === undefined ? undefined : cue.translations?.[gloss]
      if (translation !== undefined) {
        const element = elementWith('i', translation)
        element.lang = gloss!
        text.append(element)
      }
      return elementWith('li', button, text)
    })
    this.#list.replaceChildren(...lines)
    this.#list.hidden = lines.length === 0
  }

  /** Makes a line the current one and scrolls to it; if there is no such line, none is current. */
  show(index: number): void {
    this.light(-1)
    this.#list.querySelector('[aria-current]')?.removeAttribute('aria-current')
    const line = this.#list.children[index] as HTMLElement | undefined
    if (!line) return
    line.setAttribute('aria-current', 'true')
    if (!this.#list.querySelector(':focus')) this.#makeTabStop(line.querySelector('button')!)
    // `scrollIntoView` would also scroll the page. The line at the top is not cut off. It is the
    // current one if that is taller than the list.
    const lines = [...this.#list.children] as HTMLElement[]
    const { clientHeight } = this.#list
    const lastLine = lines.at(-1)!
    const lowestTop = lastLine.offsetTop + lastLine.offsetHeight - clientHeight
    const top = Math.min(lowestTop, line.offsetTop, line.offsetTop - (clientHeight - line.offsetHeight) / 3)
    const firstLine = lines.find(({ offsetTop }) => offsetTop >= top) ?? line
    const scrollTop = firstLine.offsetTop - lines[0]!.offsetTop
    // The space below the last line makes room to scroll that far.
    this.#list.style.paddingBlockEnd = `${Math.max(0, scrollTop - lowestTop)}px`
    this.#list.scrollTop = scrollTop
  }

  /** Highlights a word of the current line; if there is no such word, none is highlighted. */
  light(word: number): void {
    this.#list.querySelector('.lit')?.classList.remove('lit')
    this.#list.querySelector(`[aria-current] [data-word="${word}"]`)?.classList.add('lit')
  }

  /** Returns the line and the word that contain an element; -1 for none. */
  find(element: Element | null): { line: number; word: number } {
    const line = [...this.#list.children].findIndex((each) => each.contains(element))
    return { line, word: Number(element?.closest('[data-word]')?.getAttribute('data-word') ?? -1) }
  }

  /**
   * Moves the focus from a button by an arrow key: left and right to the next one in the line, up
   * and down to the nearest one in another line. Returns whether the key is an arrow key.
   */
  move(from: Element, key: string): boolean {
    const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1 }[key]
    if (!step) return false
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      const buttons = buttonsIn(this.#list.children[this.find(from).line + step])
      const distance = (button: Element) => Math.abs(centreOf(button) - centreOf(from))
      buttons.toSorted((a, b) => distance(a) - distance(b))[0]?.focus()
    } else {
      const buttons = buttonsIn(this.#list)
      buttons[buttons.indexOf(from as HTMLElement) + (from.matches(':dir(rtl)') ? -step : step)]?.focus()
    }
    return true
  }

  #makeTabStop(button: HTMLElement): void {
    for (const each of this.#list.querySelectorAll<HTMLElement>('[tabindex="0"]')) each.tabIndex = -1
    button.tabIndex = 0
  }
}

function buttonsIn(element: Element | undefined): HTMLElement[] {
  return [...(element?.querySelectorAll<HTMLElement>('[tabindex]') ?? [])]
}

function centreOf(element: Element): number {
  const { x, width } = element.getBoundingClientRect()
  return x + width / 2
}

function wordElement(text: string, word: TranscriptWord, index: number, markedIds: ReadonlySet<number>) {
  const element = elementWith('span', withReading(text, word.reading))
  element.dataset.word = String(index)
  // A `button` would neither wrap nor let users select its text.
  Object.assign(element, { role: 'button', tabIndex: -1 })
  if (word.wordIds?.some((id) => markedIds.has(id))) element.className = 'marked'
  return element
}

/** A word below its reading. */
function withReading(text: string, reading: string | undefined): string | Node {
  if (reading === undefined) return text
  const ruby = elementWith('ruby', text)
  ruby.append(elementWith('rt', reading))
  return ruby
}
