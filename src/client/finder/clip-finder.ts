import { ClipLookup, type FeedClip, type Gloss, type Occurrence, type SentenceMatch } from '../clip-lookup.ts'
import { autocomplete, findClips, highlight, type FoundClips } from '../helpers/entry.ts'
import '../player/clip-player.ts'
import type { ClipPlayer } from '../player/clip-player.ts'
import { elementWith } from '../player/element-with.ts'
import { openShadowRoot } from '../player/open-shadow-root.ts'
import style from './clip-finder.css?inline'
import markup from './clip-finder.html?raw'

type Moment = Occurrence | SentenceMatch

/**
 * `<clip-finder>`: a search box, the moments at which the text is said, and the player.
 *
 *     <clip-finder src="/api" language="en" gloss="es"></clip-finder>
 *
 * Attributes: `src`, the path of a forwarder; `language`, of the clips; `gloss`, of the meanings;
 * `limit`, the number of clips, 20 by default. Instead of `src`, a page can set the property
 * `client`. Event: `moment` with `{ clip, moment }`, when a visitor chooses one.
 */
export class ClipFinder extends HTMLElement {
  static readonly observedAttributes: readonly string[] = ['language', 'gloss']

  /** Sends the requests. */
  client: ClipLookup | null = null
  readonly #root = openShadowRoot(this, markup, style)
  #complete: ReturnType<typeof autocomplete> | null = null
  /** The current search; results of earlier ones are not shown. */
  #search = new AbortController()

  constructor() {
    super()
    this.#part('form').onsubmit = (event) => {
      event.preventDefault()
      void this.find(this.#input.value)
    }
    this.#input.oninput = () => void this.#suggest(this.#input.value.trim())
  }

  /** Drops the suggestions, which are words of the earlier language. */
  attributeChangedCallback(): void {
    void this.#complete?.('')
    this.#complete = null
    this.#part('words').replaceChildren()
  }

  /** Finds the clips in which a text is said, and shows them. */
  async find(text: string): Promise<void> {
    this.#search.abort()
    // Suggestions that are still loading would cost a look-up.
    void this.#complete?.('')
    const { signal } = (this.#search = new AbortController())
    this.#input.value = text
    this.#say('Searching …')
    try {
      const parameters = { ...this.#parameters, limit: Number(this.getAttribute('limit') ?? 20) }
      const clips = await findClips(this.#client, text, parameters, { signal })
      this.#show(text, clips)
    } catch (error) {
      if (!signal.aborted) this.#say((error as Error).message)
    }
  }

  get #client(): ClipLookup {
    const baseUrl = new URL(this.getAttribute('src') ?? '/api', document.baseURI).href
    return (this.client ??= new ClipLookup({ baseUrl }))
  }

  get #parameters(): { language: string | undefined; gloss: Gloss | undefined } {
    const valueOf = (name: string) => this.getAttribute(name) ?? undefined
    return { language: valueOf('language'), gloss: valueOf('gloss') as Gloss | undefined }
  }

  get #input(): HTMLInputElement {
    return this.#part('text') as HTMLInputElement
  }

  get #player(): ClipPlayer {
    return this.#part('player') as ClipPlayer
  }

  async #suggest(text: string): Promise<void> {
    // A single Latin letter is the prefix of too many words to be worth a look-up.
    if (text.length < 2 && !/\P{Script=Latin}/u.test(text)) return
    this.#complete ??= autocomplete(this.#client, { ...this.#parameters, limit: 100 })
    // A search shows the error instead.
    const words = await this.#complete(text).catch(() => null)
    if (!words) return
    const options = words.slice(0, 8).map(({ word, level, meaning }) => {
      const option = document.createElement('option')
      return Object.assign(option, { value: word, label: `${word} · ${level} · ${meaning}` })
    })
    this.#part('words').replaceChildren(...options)
  }

  #show(text: string, { word, items, totalCount }: FoundClips): void {
    const count = totalCount === null || totalCount === items.length ? '' : ` of ${totalCount}`
    const clips = `${items.length}${count} ${items.length === 1 ? 'clip' : 'clips'} with “${word?.word ?? text}”`
    this.#say(word ? `${clips} · ${word.level} · ${word.meaning}` : clips)
    const lines = items.flatMap(({ clip, moments }) => moments.map((moment) => this.#line(clip, moment)))
    this.#part('moments').replaceChildren(...lines)
    this.#player.hidden = true
    this.#player.clip = null
    this.#player.transcript = null
  }

  #line(clip: FeedClip, moment: Moment): HTMLElement {
    const { before, match, after } = highlight(moment.text, moment.start, moment.end)
    const line = elementWith('span', before, elementWith('mark', match), after)
    const button = elementWith('button', line, elementWith('small', `${clip.level} · ${clip.title}`))
    button.lang = clip.language
    button.setAttribute('aria-pressed', 'false')
    button.onclick = () => this.#play(clip, moment, button)
    return elementWith('li', button)
  }

  #play(clip: FeedClip, moment: Moment, button: HTMLElement): void {
    for (const each of this.#root.querySelectorAll('[aria-pressed]'))
      each.setAttribute('aria-pressed', String(each === button))
    const player = this.#player
    player.hidden = false
    player.setAttribute('start', String(moment.tStart))
    if (player.clip?.clipId !== clip.clipId) {
      player.load = (clipId) => this.#client.getTranscript({ clipId })
      player.transcript = null
      player.clip = clip
      player.setAttribute('transcript', clip.clipId)
    }
    player.seek(moment.tStart)
    this.dispatchEvent(new CustomEvent('moment', { detail: { clip, moment }, bubbles: true, composed: true }))
  }

  #say(text: string): void {
    this.#part('status').textContent = text
  }

  #part(id: string): HTMLElement {
    return this.#root.getElementById(id)!
  }
}

if (!customElements.get('clip-finder')) customElements.define('clip-finder', ClipFinder)

declare global {
  interface HTMLElementTagNameMap {
    'clip-finder': ClipFinder
  }
  interface HTMLElementEventMap {
    moment: CustomEvent<{ clip: FeedClip; moment: Moment }>
  }
}
