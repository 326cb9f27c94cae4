/** The parts of an answer that this client reads. */
interface Clip {
  clipId: string
  title: string
  level: string
}
interface Word {
  word: string
  wordId: number
  meaning: string
}
interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}
interface Match {
  text: string
  start: number
  end: number
  tStart: number
}
interface Transcript {
  cues: { text: string; words: { text: string; wordIds?: number[] }[] }[]
}

const levels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2']

export class LearningApp {
  readonly #service: string
  readonly #key: string
  readonly #clips = new Map<string, Clip>()
  #release: string | null = null
  /** How many requests were sent. */
  requests = 0

  /** `service` is an address such as `http://127.0.0.1:8080`. */
  constructor(service: string, key: string) {
    this.#service = service
    this.#key = key
  }

  /** The next clips for a learner, none of them above the level. */
  async feed(level: string, count: number): Promise<Clip[]> {
    const clipLevel = levels.slice(0, levels.indexOf(level) + 1).join()
    const found: Clip[] = []
    let query = new URLSearchParams({ level, clipLevel, limit: String(count) })
    for (;;) {
      const page = await this.#get<Page<{ clip: Clip }>>(`/feed?${query}`)
      found.push(...page.items.map(({ clip }) => clip))
      if (found.length >= count || page.nextCursor === null) break
      query = new URLSearchParams({ level, clipLevel, limit: String(count), cursor: page.nextCursor })
    }
    for (const clip of found) this.#clips.set(clip.clipId, clip)
    return found.slice(0, count)
  }

  /** A word, its other spellings and the easiest clips that say it. */
  async wordPage(text: string): Promise<{ word: Word & { forms: string[] }; clips: Clip[] }> {
    const path = `/words/${encodeURIComponent(text)}`
    const word = await this.#get<Word & { forms: string[] }>(path)
    const { items } = await this.#get<Page<{ clip: Clip }>>(`${path}/clips?limit=5`)
    return { word, clips: items.map(({ clip }) => clip) }
  }

  /** The words of a transcript by their ids: one request for a hundred of them. */
  async glossary(clipId: string): Promise<Map<number, Word>> {
    const { cues } = await this.#get<Transcript>(`/clips/${clipId}/transcript`)
    const ids = [...new Set(cues.flatMap(({ words }) => words.flatMap(({ wordIds }) => wordIds ?? [])))]
    const glossary = new Map<number, Word>()
    for (let from = 0; from < ids.length; from += 100) {
      const { words } = await this.#get<{ words: Word[] }>(`/words?ids=${ids.slice(from, from + 100).join()}`)
      for (const word of words) glossary.set(word.wordId, word)
    }
    return glossary
  }

  /** Lines in which a phrase is said, with `[` and `]` around it. */
  async search(phrase: string): Promise<string[]> {
    const query = new URLSearchParams({ q: phrase })
    const { items } = await this.#get<Page<{ matches: Match[] }>>(`/sentences?${query}`)
    return items.flatMap(({ matches }) => matches.map(highlight))
  }

  /** A clip out of the cache, or from the service. */
  async clip(clipId: string): Promise<Clip> {
    const cached = this.#clips.get(clipId)
    if (cached) return cached
    const clip = await this.#get<Clip>(`/clips/${clipId}`)
    this.#clips.set(clipId, clip)
    return clip
  }

  /** Deletes what changed since the last time. Call it once a day. */
  async refresh(): Promise<void> {
    if (this.#release !== null) {
      const response = await this.#send(`/changes?since=${this.#release}`)
      if (response.ok) {
        const { to, clips } = (await response.json()) as {
          to: string
          clips: { changed: string[]; withdrawn: string[] }
        }
        for (const clipId of [...clips.changed, ...clips.withdrawn]) this.#clips.delete(clipId)
        this.#release = to
        return
      }
      this.#clips.clear()
    }
    this.#release = (await this.#get<{ release: string }>('/corpus')).release
  }

  async #get<T>(path: string): Promise<T> {
    const response = await this.#send(path)
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as T
  }

  #send(path: string): Promise<Response> {
    this.requests++
    return fetch(`${this.#service}/v1${path}`, { headers: { Authorization: `Bearer ${this.#key}` } })
  }
}

/** `start` and `end` count code points, not UTF-16 units. */
function highlight({ text, start, end }: Match): string {
  const letters = [...text]
  const piece = (from: number, to?: number) => letters.slice(from, to).join('')
  return `${piece(0, start)}[${piece(start, end)}]${piece(end)}`
}
