import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright'
import { longTest } from '../../harness/fault-rounds.ts'
import { browserProgram, sharedBrowser } from '../../harness/browser.ts'
import { startListening } from '../../harness/start-listening.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { smallCorpus } from '../../fixtures/small-corpus.ts'
import { sharedSmallService } from '../small-service.ts'

/** Tests the statements of the guide to caching in the most common browser. */
describe.runIf(browserProgram)('a browser', () => {
  const service = sharedSmallService()
  const browser = sharedBrowser()
  let page: Page
  let caller: Server
  beforeAll(async () => {
    page = await (await browser.newContext()).newPage()
    // A server of another origin, like the callers' pages.
    caller = createServer((_, res) => res.setHeader('Content-Type', 'text/html').end('<!doctype html>'))
    await page.goto(`http://127.0.0.1:${await startListening(caller)}/`)
  })
  afterAll(() => void caller.close())

  /** Returns the response that a script gets, and the number of look-ups that it cost. */
  async function ask(path: string, cache: RequestCache = 'default') {
    const spent = async () => (await service.get('/usage', { key: service.key })).json.requests as number
    const before = await spent()
    const answer = await page.evaluate(
      async ({ url, credential, mode }) => {
        const response = await fetch(url, { headers: { Authorization: credential }, cache: mode })
        const header = (name: string) => response.headers.get(name)
        return {
          status: response.status,
          text: await response.text(),
          id: header('x-request-id'),
          etag: header('etag'),
        }
      },
      { url: `${service.origin}/v1${path}`, credential: `Bearer ${service.key}`, mode: cache },
    )
    return { ...answer, lookUps: (await spent()) - before }
  }

  test('keeps a clip until it is reloaded', async () => {
    const first = await ask('/clips/watchmaker')
    expect(first).toMatchObject({ status: 200, lookUps: 1, id: expect.stringMatching(/^[\w-]{36}$/) })
    const corpus = {
      ...smallCorpus,
      clips: smallCorpus.clips.map((clip) =>
        clip.videoId === 'watchmaker' ? { ...clip, title: 'Another title' } : clip,
      ),
    }
    await writeSourceFolder(join(service.folder, 'changed'), corpus)
    await service.build(join(service.folder, 'changed'), { replace: 'all' })
    await service.refresh()
    expect(await ask('/clips/watchmaker')).toMatchObject({ text: first.text, lookUps: 0 })
    const reloaded = await ask('/clips/watchmaker', 'reload')
    expect(reloaded).toMatchObject({ status: 200, lookUps: 1 })
    expect(reloaded.text).toContain('Another title')
    expect(await ask('/clips/watchmaker')).toMatchObject({ text: reloaded.text, lookUps: 0 })
  })

  longTest('keeps lists for an hour, also of short prefixes, and pays for revalidating them', async () => {
    const first = await ask('/words?q=l')
    expect(first.lookUps).toBe(1)
    expect(await ask('/words?q=l')).toMatchObject({ text: first.text, lookUps: 0 })
    expect(await ask('/words?q=l', 'no-cache')).toMatchObject({ text: first.text, lookUps: 1 })
  })

  longTest('requests changes again only when it bypasses its cache', async () => {
    const { release } = (await service.get('/corpus')).json
    const path = `/changes?since=${release}`
    const ids = [await ask(path), await ask(path), await ask(path, 'no-store')].map(({ id }) => id)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })
})
