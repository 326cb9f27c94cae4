import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { readCurrent, readManifest } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import { checkAgainstOpenApi } from '../harness/openapi-check.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { buildTree } from '../nightly/small-corpus.ts'
import { rawRequest, sendRaw, type RawAnswer } from '../proxy/http/raw-request.ts'
import { isNightly } from './fuzz.ts'
import type { serviceSubjects } from './service-thread.ts'
import { SubjectThread } from './thread.ts'

/** The maximum processor time for a response and for a refusal, checked only in a nightly run. */
const answerMaxMs = 10
const refusalMaxMs = 1
/**
 * The number of measurements. Only the smallest is used, because the others include compilation and
 * garbage collection.
 */
const measurements = 16

/** A service on the small corpus in a thread of its own, for all tests of a file. */
export class FuzzedServer {
  readonly thread = new SubjectThread<typeof serviceSubjects>(new URL('service-thread.ts', import.meta.url))
  folder = ''
  origin = ''
  key = ''
  /** Requests that took too long, by their cost. */
  readonly #slow = new Map<string, number>()

  constructor() {
    beforeAll(async () => {
      this.folder = mkdtempSync(join(tmpdir(), 'clip-lookup-fuzz-'))
      await writeSourceFolder(join(this.folder, 'source'), smallCorpus)
      await buildTree(join(this.folder, 'source'), join(this.folder, 'dist'), { analysers: false })
      await this.start()
    })
    afterEach(async () => void expect(await this.thread.call('errors')).toEqual([]))
    afterAll(async () => {
      await this.thread.call('stop')
      await this.thread.end()
      rmSync(this.folder, { recursive: true, force: true })
      if (!isNightly) return
      const slowest = [...this.#slow].sort(([, a], [, b]) => b - a).slice(0, 20)
      for (const [line, ms] of slowest) console.log(`${ms.toFixed(2)} ms of processor time: ${line}`)
      expect(slowest).toEqual([])
    })
  }

  async start(): Promise<void> {
    Object.assign(this, await this.thread.call('start', this.folder))
  }

  /** The id of the tree, for which cursors are signed. */
  async tree(): Promise<string> {
    const tree = new FolderTree(join(this.folder, 'dist'))
    return (await readManifest(tree, await readCurrent(tree))).tree
  }

  /** Sends bytes, and returns all responses until the server closes. */
  send(...pieces: (string | Buffer)[]): Promise<RawAnswer[]> {
    return sendRaw(this.origin, ...pieces)
  }

  /** Sends a request, with a key unless the headers have one. Returns its only response. */
  async ask(line: string, ...headers: string[]): Promise<RawAnswer> {
    const hasKey = headers.some((header) => /^authorization:/i.test(header))
    const authorization = hasKey ? [] : [`Authorization: Bearer ${this.key}`]
    const request = rawRequest(line, 'Host: h', ...headers, ...authorization)
    const answers = await (isNightly ? this.#measured(line, request) : this.send(request))
    expect(answers).toHaveLength(1)
    return answers[0]!
  }

  /** Sends a GET whose response must have one of these statuses and match the OpenAPI document. */
  async expectAnswer(target: string, statuses: number[], ...headers: string[]): Promise<RawAnswer> {
    const answer = await this.ask(`GET ${target} HTTP/1.1`, ...headers)
    expect(statuses).toContain(answer.status)
    expectDocumented('GET', target, answer)
    return answer
  }

  /** Notes a request that takes too long every time it is sent to a new service. */
  async #measured(line: string, request: string): Promise<RawAnswer[]> {
    const before = await this.thread.call('cpuMs')
    const answers = await this.send(request)
    let leastMs = (await this.thread.call('cpuMs')) - before
    const maxMs = answers[0]!.status < 400 ? answerMaxMs : refusalMaxMs
    for (let i = 1; i < measurements && leastMs > maxMs; i++) {
      await this.start()
      const key = /Bearer (clk_\w+)/.exec(request)?.[1]
      await this.send(rawRequest('GET /v1/usage HTTP/1.1', 'Host: h', `Authorization: Bearer ${key}`))
      const startMs = await this.thread.call('cpuMs')
      await this.send(request)
      leastMs = Math.min(leastMs, (await this.thread.call('cpuMs')) - startMs)
    }
    if (leastMs > maxMs) this.#slow.set(line.slice(0, 300), leastMs)
    return answers
  }
}

/** Checks a response against the OpenAPI document. */
export function expectDocumented(method: string, target: string, answer: RawAnswer): void {
  const isNoRequest = answer.text.startsWith('{"error":{"code":"bad_request"')
  // Bytes that are not a request have no method, and match no operation of the document.
  if (isNoRequest) checkAgainstOpenApi('GET', '/', answer)
  else checkAgainstOpenApi(method, target.replace(/#.*/, ''), answer)
}
