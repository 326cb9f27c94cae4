import type { Clip, Cue, FeedClip, Transcript, TranscriptWord } from '../operations.ts'
import type { Adapter, Controls, Report } from './adapter.ts'
import { PlayerClock } from './clock.ts'
import { LineList } from './line-list.ts'
import { minutes } from './minutes.ts'
import markup from './clip-player.html?raw'
import style from './clip-player.css?inline'
import { openShadowRoot } from './open-shadow-root.ts'
import { youtube } from './youtube.ts'

const rates = [1, 0.75, 0.5]
/** The parts that can be shown with each line: each has an attribute and a button. */
const switches: readonly string[] = ['readings', 'translations']

/** The subjects that are loaded; each has a line for its fault. */
type Subject = 'clip' | 'video' | 'transcript'
/** A field that distinguishes the record from any other response. */
const fields = { clip: 'embedUrl', transcript: 'cues' }

/** The time that a frame or a server has to answer before the player reports a fault. */
const answerWithinMs = 5_000

/** The time for which a word stays highlighted after its end, so that short gaps do not flicker. */
const holdS = 0.15

/**
 * `<clip-player>`: plays a clip in the video platform's player, and shows the transcript with the
 * current word highlighted.
 *
 *     <clip-player clip="/clips/ID" transcript="/clips/ID/transcript" start="12.48"
 *     end="15"></clip-player>
 *
 * Attributes: `clip` and `transcript`, the addresses of the two records (or set the properties with
 * these names to the records); `start` and `end`, in seconds; `mark`, comma-separated ids of words
 * to underline; `preload="none"`, to load the transcript only when the clip is first played. The
 * video platform's player is not loaded before that. The element then has the attribute `started`.
 * `readings` and `translations` show what the transcript has of them, as two buttons do; `gloss` is
 * the language of the translations, by default the visitor's. An element in the slot `poster` is
 * shown until the clip is played, by default the video platform's picture.
 *
 * Events: `cue` with `{ index, cue }`; `word` with `{ index, word, cue }`; `loadstart`, `play`,
 * `pause` and `ended` with `{ timeS }`. `loadstart` is sent when the video platform's player begins
 * to load, `ended` at `end` or at the end of the clip.
 *
 * Keys: k plays and pauses, r repeats the line, s changes the speed. In the list of lines, the
 * arrow keys move between lines and words; Enter and Space play from there.
 */
export class ClipPlayer extends HTMLElement {
  /** The adapters: the first that matches an embed URL is used. */
  static readonly adapters: Adapter[] = [youtube]
  static readonly observedAttributes: readonly string[] = ['clip', 'transcript', 'mark', 'gloss', ...switches]

  #clip: FeedClip | Clip | null = null
  #transcript: Transcript | null = null
  /** The address from which the transcript was requested. */
  #asked: string | null = null
  /** The latest request for each record; responses to earlier ones are ignored. */
  #requests: Partial<Record<Subject, symbol>> = {}
  #controls: Controls | null = null
  #isReady = false
  /** Whether the clip plays as soon as its player is ready. */
  #playsWhenReady = false
  /** The time to play from, until the player has received it. */
  #pendingS: number | null = null
  #answerTimer: ReturnType<typeof setTimeout> | undefined
  #isRepeating = false
  #clock = new PlayerClock()
  #cue = -1
  #word = -1
  #stopS = Infinity
  #rate = 1
  #root = openShadowRoot(this, markup, style)
  #lines: LineList

  constructor() {
    super()
    this.#lines = new LineList(this.#part('lines'))
    this.#part('begin').onclick = () => this.play()
    this.#part('toggle').onclick = () => (this.isPlaying ? this.pause() : this.play())
    this.#part('repeat').onclick = () => this.#toggleRepeat()
    this.#part('rate').onclick = () => (this.rate = rates[(rates.indexOf(this.#rate) + 1) % rates.length]!)
    for (const name of switches) this.#part(name).onclick = () => this.toggleAttribute(name)
    this.#part('lines').onclick = ({ target }) => {
      // A visitor who selects text does not want to play it.
      if (String(getSelection()) === '') this.#playFrom(target as Element)
    }
    this.addEventListener('keydown', (event) => this.#pressKey(event))
  }

  /** The clip to play: a record of the API. */
  get clip(): FeedClip | Clip | null {
    return this.#clip
  }
  set clip(clip: FeedClip | Clip | null) {
    this.#clip = clip
    this.#settle('clip')
    this.#unload()
    this.#drawClip()
  }

  /** The transcript to show: a record of the API. */
  get transcript(): Transcript | null {
    return this.#transcript
  }
  set transcript(transcript: Transcript | null) {
    this.#transcript = transcript
    if (transcript === null) this.#asked = null
    this.#settle('transcript')
    this.#drawLines()
  }

  /** The start of the clip, in seconds. */
  get start(): number {
    return Number(this.getAttribute('start')) || 0
  }

  /** The end of the clip, in seconds; Infinity without an end. */
  get end(): number {
    return Number(this.getAttribute('end')) || Infinity
  }

  /** The current time, in seconds. */
  get timeS(): number {
    return this.#clock.timeS(performance.now())
  }

  get isPlaying(): boolean {
    return this.#clock.isPlaying
  }

  /** The playback rate; 1 is the original speed. */
  get rate(): number {
    return this.#rate
  }
  set rate(rate: number) {
    this.#rate = rate
    if (this.#isReady) this.#controls!.setRate(rate)
    this.#part('rate').textContent = `Speed ${rate}×`
    this.#part('rate').ariaPressed = String(rate !== 1)
  }

  connectedCallback(): void {
    for (const name of ClipPlayer.observedAttributes) this.attributeChangedCallback(name)
  }

  disconnectedCallback(): void {
    this.#unload()
  }

  attributeChangedCallback(name: string): void {
    if (!this.isConnected) return
    const address = this.getAttribute(name)
    if (name === 'mark' || name === 'gloss') this.#drawLines()
    else if (switches.includes(name)) this.#part(name).ariaPressed = String(address !== null)
    else if (address === null) return
    else if (name === 'clip') void this.#ask('clip', address)
    else if (this.getAttribute('preload') !== 'none') this.#askTranscript()
  }

  /** Reads a record. Set another function if requests need a header. */
  load = async (address: string): Promise<unknown> => {
    const response = await fetch(address).catch(() => {
      throw new Error('The server cannot be reached')
    })
    const body = (await response.json().catch(() => null)) as { error?: { message: string } } | null
    if (!response.ok || body === null)
      throw new Error(body?.error?.message ?? `The server answered ${response.status} without a record`)
    return body
  }

  /**
   * Plays or resumes the clip. The first time, and after the end, playback starts at `start`. Loads
   * the video platform's player if necessary.
   */
  play(): void {
    if (!this.#clip) return
    this.#askTranscript()
    this.#playsWhenReady = true
    if (!this.#controls) return this.#connect(this.#clip)
    if (this.timeS >= Math.min(this.#stopS, this.#clip.durationS) - 0.05) this.#goTo(this.start)
    if (!this.#isReady) return
    if (this.#pendingS === null) this.#controls.play()
    else this.seek(this.#pendingS)
  }

  /** Pauses the clip. If its player is still loading, the clip does not start. */
  pause(): void {
    this.#playsWhenReady = false
    this.#controls?.pause()
  }

  /** Goes to a time and plays from there. Past `end`, the clip continues. */
  seek(timeS: number): void {
    this.#goTo(timeS)
    if (this.#isReady) {
      this.#pendingS = null
      this.#controls!.seek(timeS)
      this.#controls!.play()
    } else this.play()
    this.#update()
  }

  #goTo(timeS: number): void {
    this.#pendingS = timeS
    this.#stopS = timeS < this.end ? this.end : Infinity
    this.#clock.seek(timeS, performance.now())
  }

  #connect(clip: FeedClip): void {
    const embedUrl = embedUrlOf(clip)
    const adapter = adapterOf(embedUrl)
    if (!adapter)
      return this.#say(
        'video',
        'There is no player for this video. Use the link below to watch it at the source.',
      )
    const startS = this.#pendingS ?? this.start
    const frame = document.createElement('iframe')
    frame.src = adapter.frameUrl(embedUrl, startS).href
    frame.title = clip.title
    frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture'
    frame.referrerPolicy = 'strict-origin-when-cross-origin'
    this.#goTo(startS)
    this.#controls = adapter.connect(frame, (report) => this.#take(report))
    this.#answerTimer = setTimeout(
      () =>
        this.#say('video', 'The video does not answer. Use the link below to watch it at the source.', () => {
          const { timeS } = this
          this.#unload()
          this.seek(timeS)
        }),
      answerWithinMs,
    )
    const hadFocus = this.#root.activeElement === this.#part('begin')
    this.#part('stage').append(frame)
    this.toggleAttribute('started', true)
    if (hadFocus) this.#part('toggle').focus()
    this.#emit('loadstart', { timeS: startS })
  }

  #take(report: Report): void {
    if (report.isReady && !this.#isReady) {
      this.#isReady = true
      clearTimeout(this.#answerTimer)
      this.#settle('video')
      // The platform's player can start only at whole seconds.
      this.#controls!.setRate(this.#rate)
      if (this.#playsWhenReady) this.seek(this.timeS)
    }
    const wasPlaying = this.isPlaying
    this.#clock.report(report, performance.now())
    if (report.isOver && wasPlaying) this.#emit('ended', { timeS: this.timeS })
    if (this.isPlaying !== wasPlaying) this.#emit(wasPlaying ? 'pause' : 'play', { timeS: this.timeS })
    if (this.isPlaying && !wasPlaying) {
      // The visitor may have started it in the frame.
      this.#pendingS = null
      this.#tick()
    }
    this.#part('toggle').textContent = this.isPlaying ? 'Pause' : 'Play'
    this.#update()
  }

  #tick(): void {
    this.#update()
    if (this.isPlaying) requestAnimationFrame(() => this.#tick())
  }

  /** Shows the current words, and stops or repeats when it is time. */
  #update(): void {
    const cues = this.#cues
    if (this.#isRepeating && this.isPlaying && this.#cue >= 0 && this.timeS >= this.#endOf(this.#cue))
      return this.seek(cues[this.#cue]!.tStart)
    if (this.timeS >= this.#stopS && this.isPlaying) {
      this.pause()
      this.#clock.stop(this.#stopS, performance.now())
      this.#emit('ended', { timeS: this.#stopS })
      this.#emit('pause', { timeS: this.#stopS })
    }
    const { timeS } = this
    this.#part('time').textContent = `${minutes(timeS)} / ${minutes(this.#clip?.durationS ?? 0)}`
    const cue = indexAt(cues, timeS)
    if (cue !== this.#cue) this.#showCue(cue)
    const words = cues[cue]?.words ?? []
    const latest = indexAt(words, timeS)
    const word = latest >= 0 && timeS < words[latest]!.tEnd + holdS ? latest : -1
    if (word !== this.#word) this.#showWord(word)
  }

  get #cues(): Transcript['cues'] {
    return this.#transcript?.cues ?? []
  }

  /** The time at which a line is replaced by the next one. */
  #endOf(index: number): number {
    const cues = this.#cues
    return Math.min(cues[index]!.tEnd, cues[index + 1]?.tStart ?? Infinity, this.#clip!.durationS - 0.1)
  }

  #showCue(index: number): void {
    this.#word = -1
    this.#cue = index
    this.#lines.show(index)
    if (index >= 0) this.#emit('cue', { index, cue: this.#cues[index]! })
  }

  #showWord(index: number): void {
    this.#word = index
    this.#lines.light(index)
    const cue = this.#cues[this.#cue]
    if (cue && index >= 0) this.#emit('word', { index, word: cue.words[index]!, cue })
  }

  #toggleRepeat(): void {
    this.#isRepeating = !this.#isRepeating
    this.#part('repeat').ariaPressed = String(this.#isRepeating)
    if (this.#isRepeating && this.#cue >= 0) this.seek(this.#cues[this.#cue]!.tStart)
  }

  /** Plays from a word or, next to the words, from the start of a line. */
  #playFrom(element: Element): void {
    const { line, word } = this.#lines.find(element)
    const cue = this.#cues[line]
    if (!cue) return
    // If a line is being repeated, it is now this one.
    if (line !== this.#cue) this.#showCue(line)
    this.seek(cue.words[word]?.tStart ?? cue.tStart)
  }

  #pressKey(event: KeyboardEvent): void {
    const { key } = event
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const id = { k: 'toggle', r: 'repeat', s: 'rate' }[key]
    const button = this.#root.activeElement
    if (id) this.#part(id).click()
    else if (!button || this.#lines.find(button).line < 0) return
    else if ((key === 'Enter' || key === ' ') && button.matches('[data-word]')) this.#playFrom(button)
    else if (!this.#lines.move(button, key)) return
    event.preventDefault()
  }

  #drawClip(): void {
    const clip = this.#clip
    this.#part('begin').ariaLabel = clip ? `Play “${clip.title}”` : 'Play'
    this.#part('attribution').hidden = !clip
    this.#part('length').textContent = clip ? minutes(clip.durationS) : ''
    const embedUrl = clip && embedUrlOf(clip)
    const hasPoster = this.querySelector('[slot="poster"]') !== null
    const posterUrl = embedUrl && !hasPoster && adapterOf(embedUrl)?.posterUrl?.(embedUrl)
    const poster = this.#part('poster') as HTMLImageElement
    poster.hidden = !posterUrl
    if (posterUrl) poster.src = posterUrl.href
    if (!clip) return
    this.#part('level').textContent = clip.level
    const channel = this.#part('channel')
    channel.textContent = clip.channel.name
    channel.lang = clip.language
    this.#root.querySelector('a')!.href = clip.watchUrl
  }

  #drawLines(): void {
    const markedIds = new Set((this.getAttribute('mark') ?? '').split(',').map(Number))
    const glosses = new Set(this.#cues.flatMap(({ translations = {} }) => Object.keys(translations)))
    const preferences = [
      this.getAttribute('gloss') ?? navigator.languages.map((tag) => tag.split('-')[0]!),
    ].flat()
    const gloss = preferences.find((language) => glosses.has(language)) ?? [...glosses][0]
    this.#lines.draw(this.#transcript, markedIds, gloss)
    this.#part('translations').hidden = gloss === undefined
    this.#part('readings').hidden = !this.#cues.some(({ words }) => words.some(({ reading }) => reading))
    this.#cue = this.#word = -1
    if (this.#controls) this.#update()
    else this.#showFirst(markedIds)
  }

  /** Shows the first line with a marked word after the start, or else the first line after it. */
  #showFirst(markedIds: ReadonlySet<number>): void {
    const cues = this.#cues
    const isMarked = (word: TranscriptWord) =>
      word.tStart >= this.start && word.wordIds?.some((id) => markedIds.has(id))
    const match = cues.findIndex(({ words }) => words.some(isMarked))
    const index = match >= 0 ? match : Math.max(0, indexAt(cues, this.start))
    this.#lines.show(index)
    const caption = this.#part('caption')
    caption.hidden = cues.length === 0
    caption.textContent = cues[index]?.text ?? ''
    caption.lang = this.#transcript?.language ?? ''
  }

  #askTranscript(): void {
    const address = this.getAttribute('transcript')
    if (address === null || address === this.#asked) return
    this.#asked = address
    void this.#ask('transcript', address)
  }

  /** Loads a record, and says so if this fails or takes long. */
  async #ask(subject: 'clip' | 'transcript', address: string): Promise<void> {
    const request = (this.#requests[subject] = Symbol(address))
    const say = (fault: string) => {
      if (request === this.#requests[subject])
        this.#say(
          subject,
          `The ${subject} cannot be loaded: ${fault.replace(/\.?$/, '.')}`,
          () => void this.#ask(subject, address),
        )
    }
    const timer = setTimeout(() => say('The server has not answered yet'), answerWithinMs)
    try {
      const record = await this.load(address)
      if (!(fields[subject] in Object(record))) throw new Error(`The answer is not a ${subject}`)
      if (request === this.#requests[subject]) Object.assign(this, { [subject]: record })
    } catch (error) {
      say((error as Error).message)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Shows a fault until it is resolved, with a button if the request can be repeated. */
  #say(subject: Subject, fault: string, retry?: () => void): void {
    const line = this.#part(`${subject}-fault`)
    const [text, button] = line.children as unknown as [HTMLElement, HTMLElement]
    text.textContent = fault
    line.hidden = false
    button.hidden = !retry
    button.onclick = () => {
      text.textContent = 'Trying again …'
      retry!()
    }
  }

  #settle(subject: Subject): void {
    const line = this.#part(`${subject}-fault`)
    // The button that had the focus disappears with the line.
    if (line.contains(this.#root.activeElement)) this.#part('toggle').focus()
    line.hidden = true
    delete this.#requests[subject]
  }

  /** Removes the frame, because the page shows another clip, or none. */
  #unload(): void {
    clearTimeout(this.#answerTimer)
    this.#controls?.disconnect()
    this.#controls = null
    this.#isReady = false
    this.#pendingS = null
    this.#clock = new PlayerClock()
    this.#root.querySelector('iframe')?.remove()
    this.#settle('video')
    this.toggleAttribute('started', false)
  }

  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }

  #part(id: string): HTMLElement {
    return this.#root.getElementById(id)!
  }
}

function embedUrlOf(clip: FeedClip): URL {
  return new URL(clip.embedUrl, document.baseURI)
}

function adapterOf(embedUrl: URL): Adapter | undefined {
  return ClipPlayer.adapters.find((candidate) => candidate.matches(embedUrl))
}

/** Returns the last item that has started at a time, or -1. Items are ordered by start. */
function indexAt(items: readonly { tStart: number }[], timeS: number): number {
  return items.findLastIndex(({ tStart }) => tStart <= timeS)
}

if (!customElements.get('clip-player')) customElements.define('clip-player', ClipPlayer)

declare global {
  interface HTMLElementTagNameMap {
    'clip-player': ClipPlayer
  }
  interface HTMLElementEventMap {
    cue: CustomEvent<{ index: number; cue: Cue }>
    word: CustomEvent<{ index: number; word: TranscriptWord; cue: Cue }>
  }
}
