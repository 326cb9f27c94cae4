import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../harness/chance.ts'
import type { HttpAnswer } from '../harness/http-client.ts'
import type { Service } from '../harness/service.ts'
import { BrokenInvariant } from '../metering/simulation.ts'
import { clipIdOf } from '../model/indexed.ts'
import { clip } from '../nightly/small-corpus.ts'

/** The numbers of all clips that a source may have are below this. */
export const clipNumbers = 6

/** The clips of a source or of a release: their titles by clip id. */
export type Titles = ReadonlyMap<string, string>

/** @throws {BrokenInvariant} the condition is false */
export function check(condition: boolean, message: string): void {
  if (!condition) throw new BrokenInvariant(message)
}

interface Walk {
  cursor: string
  /** The tree in which it began. */
  tree: string
  pastClips: string[]
  /** The clips that were there all the time. */
  constantClips: Set<string>
}

/** What the clients know of the simulation. */
interface Surroundings {
  chance: Chance
  titlesOf: ReadonlyMap<string, Titles>
  published: { tree: string }
  note(event: string, detail?: string): void
}

/** The clients of a service, who share an account and check all that they receive. */
export class Clients {
  /** The proxies, which share a store and follow the same tree. */
  services: Service[] = []
  key = ''
  /** The units that the answers to them cost. */
  units = 0
  /** Whether the proxy may be unable to read files of the tree. */
  isTreeFaulty = false
  readonly #surroundings: Surroundings
  #walks: Walk[] = []

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** Reads a page of a walk, which goes on or begins. */
  async readPage(): Promise<void> {
    const { chance, published, note } = this.#surroundings
    const titles = await this.titlesInService()
    if (!titles) return
    const isNew = this.#walks.length === 0 || chance.happens(0.3)
    const { tree } = published
    const walk = isNew
      ? { cursor: '', tree, pastClips: [], constantClips: new Set(titles.keys()) }
      : chance.pick(this.#walks)
    for (const { constantClips } of [...this.#walks, walk])
      for (const id of constantClips) if (!titles.has(id)) constantClips.delete(id)
    const query = isNew ? `seed=${chance.below(100)}` : `cursor=${walk.cursor}`
    const { status, json } = await this.#get(`/feed?limit=${1 + chance.below(3)}&${query}`)
    check(status === (walk.tree === tree ? 200 : 400), `a page of a walk in ${walk.tree} is ${status}`)
    const items = (json.items ?? []) as { clip: { clipId: string } }[]
    const ids = items.map((item) => item.clip.clipId)
    note('page', ids.join(' '))
    for (const id of ids) {
      check(!walk.pastClips.includes(id), `clip ${id} comes twice in a walk`)
      check(titles.has(id), `clip ${id} is in the feed, but not in the release`)
      walk.pastClips.push(id)
    }
    this.#walks = this.#walks.filter((other) => other !== walk)
    walk.cursor = json.nextCursor ?? ''
    if (walk.cursor !== '') this.#walks.push(walk)
    if (status !== 200 || walk.cursor !== '') return
    for (const id of walk.constantClips) check(walk.pastClips.includes(id), `a walk lacks clip ${id}`)
    note('end of a walk')
  }

  /** Reads every clip: it is that of the release, or not found where the release lacks it. */
  async readClips(): Promise<void> {
    const titles = await this.titlesInService()
    if (!titles) return
    for (let number = 0; number < clipNumbers; number++) {
      const id = clipIdOf(clip(`v${number}`))
      const status = titles.has(id) ? 200 : 404
      const transcript = await this.#get(`/clips/${id}/transcript`)
      if (transcript.status !== 503) {
        check(transcript.status === status, `the transcript of ${id} is ${transcript.status}`)
        check(status !== 200 || transcript.json.clipId === id, `a transcript is not that of ${id}`)
      }
      const record = await this.#get(`/clips/${id}`)
      if (record.status === 503) continue
      check(record.status === status, `clip ${id} is ${record.status}`)
      const title = status === 200 ? record.json.title : undefined
      check(title === titles.get(id), `clip ${id} is "${title}" and not "${titles.get(id)}"`)
    }
    this.#surroundings.note('clips')
  }

  /** The clips of the release in service; null if there is none. */
  async titlesInService(): Promise<Titles | null> {
    const { status, json } = await this.#anyService().get('/corpus')
    if (status !== 200) return null
    const titles = this.#surroundings.titlesOf.get(json.release)
    check(titles !== undefined, `nobody built release ${json.release}, which is in service`)
    return titles!
  }

  /** Cuts a connection, before the request is complete or when the response begins. */
  async cutRequest(): Promise<void> {
    const { chance, note } = this.#surroundings
    const isComplete = chance.happens(0.7)
    const head = `GET /v1/clips/${clipIdOf(clip('v0'))} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${this.key}\r\n`
    const socket = connect(Number(new URL(this.#anyService().origin).port), '127.0.0.1')
    socket.write(isComplete ? `${head}\r\n` : head)
    if (isComplete) {
      const [start] = (await once(socket, 'data')) as [Buffer]
      const status = Number(/^HTTP\S+ (\d+)/.exec(start.toString('latin1'))?.[1])
      check([200, 404, 503].includes(status), `a response begins with ${start}`)
      if (status !== 503) this.units++
    }
    socket.destroy()
    note('cut request', isComplete ? 'when the response begins' : 'before its end')
  }

  /** Waits until the store can be used again: until then, requests get 503 and cost nothing. */
  async waitForStore(): Promise<void> {
    for (const service of this.services)
      for (let attempt = 0; ; attempt++) {
        const { status, text } = await service.get('/usage', { key: this.key })
        if (status === 200) break
        check(status === 503 && attempt < 1000, `without the store, /usage is ${status}: ${text}`)
        await sleep(10)
      }
  }

  async checkUnits(): Promise<void> {
    for (const service of this.services) {
      const { json } = await service.get('/usage', { key: this.key })
      check(json.requests === this.units, `${json.requests} units are stored, ${this.units} were used`)
    }
  }

  /** Draws one of the proxies. */
  #anyService(): Service {
    return this.#surroundings.chance.pick(this.services)
  }

  async #get(path: string): Promise<HttpAnswer> {
    const answer = await this.#anyService()
      .get(path, { key: this.key })
      .catch((error: Error) => {
        throw new BrokenInvariant(`the answer to ${path} is malformed: ${error.message}`)
      })
    const statuses = this.isTreeFaulty ? [200, 400, 404, 503] : [200, 400, 404]
    check(statuses.includes(answer.status), `${path} is ${answer.status}: ${answer.text}`)
    if (answer.status < 400 || answer.status === 404) this.units++
    if (answer.status === 503) this.#surroundings.note('503')
    return answer
  }
}
