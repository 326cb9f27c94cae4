import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeHandler } from '#client/forwarder/handlers.ts'
import { longTest } from '../../harness/fault-rounds.ts'
import { browserProgram, sharedBrowser } from '../../harness/browser.ts'
import { installClient } from '../../harness/client-package.ts'
import { startListening } from '../../harness/start-listening.ts'
import { sharedSmallService } from '../../proxy/small-service.ts'

const html = `<!doctype html>
<html lang="en">
<title>Find clips</title>
<script type="module" src="/modules/finder/clip-finder.js"></script>
<clip-finder src="/api" gloss="es"></clip-finder>`

const policy = `default-src 'self'; img-src *; frame-src *`

describe.skipIf(!browserProgram)('the finder', () => {
  const service = sharedSmallService()
  const browser = sharedBrowser()
  let server: Server
  let port: number
  const requests: string[] = []

  beforeAll(async () => {
    installClient(service.folder)
    const forward = nodeHandler({ baseUrl: `${service.origin}/v1`, key: service.key, prefix: '/api' })
    server = createServer((req, res) => {
      const { pathname } = new URL(req.url!, 'http://app')
      if (pathname.startsWith('/api/')) {
        requests.push(req.url!)
        return void forward(req, res)
      }
      const module = /^\/modules\/([\w/-]+\.js)$/.exec(pathname)?.[1]
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
      if (!module) return void res.writeHead(200, headers).end(html)
      const file = join(service.folder, 'node_modules', 'clip-lookup-client', 'dist', module)
      res.setHeader('content-type', 'text/javascript').end(readFileSync(file))
    })
    port = await startListening(server)
  })

  afterAll(() => void server?.close())

  async function openPage(): Promise<Page> {
    const page = await browser.newPage()
    page.setDefaultTimeout(15_000)
    // No request leaves the machine.
    await page.route(/youtube|ytimg/, (route) => route.fulfill({ body: '' }))
    await page.goto(`http://127.0.0.1:${port}/`)
    requests.length = 0
    return page
  }

  test('finds a word with five lines of HTML, highlights it and plays the clip from there', async () => {
    const page = await openPage()
    const moments = page.evaluate(
      () =>
        new Promise((resolve) =>
          document.addEventListener('moment', (event) => resolve((event as CustomEvent).detail), {
            once: true,
          }),
        ),
    )
    await page.getByRole('combobox').fill('looking after')
    await page.getByRole('button', { name: 'Find clips' }).click()
    await page.getByText('2 clips with “look after” · B1 · cuidar').waitFor()
    const first = page.getByRole('button', { name: /^Who is looking after the cat/ })
    expect(await first.locator('mark').textContent()).toBe('looking after')
    const display = await page.locator('#form').evaluate((form) => getComputedStyle(form).display)
    expect(display).toBe('flex')
    await first.click()
    expect(await first.getAttribute('aria-pressed')).toBe('true')
    await page.locator('clip-player').getByRole('list', { name: 'Lines' }).waitFor()
    const frame = page.locator('clip-player iframe')
    expect(await frame.getAttribute('src')).toContain('/embed/cat-sitter?')
    const expected = { clip: { videoId: 'cat-sitter' }, moment: { form: 'looking after' } }
    expect(await moments).toMatchObject(expected)
  })

  longTest('finds a phrase in sentences, and shows an error message', async () => {
    const page = await openPage()
    await page.getByRole('combobox').fill('out of the case')
    await page.keyboard.press('Enter')
    await page.getByText('1 clip with “out of the case”', { exact: true }).waitFor()
    expect(await page.locator('mark').allTextContents()).toEqual(['out of the case'])
    await page.locator('clip-finder').evaluate((finder: any) => void finder.find('x'.repeat(150)))
    await page.getByText('must have 1 to 100 characters').waitFor()
  })

  test('suggests words after a pause, for one look-up', async () => {
    const page = await openPage()
    // One command, because the pause in typing may pass between two.
    await page.getByRole('combobox').evaluate((input: HTMLInputElement) => {
      for (const text of ['l', 'lo', 'loo']) {
        input.value = text
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await page.locator('datalist option').first().waitFor({ state: 'attached' })
    const labels = await page
      .locator('datalist option')
      .evaluateAll((options) => options.map((each) => (each as HTMLOptionElement).label))
    expect(labels).toEqual(['look · A1 · mirar', 'look after · B1 · cuidar'])
    expect(requests).toEqual(['/api/words?gloss=es&limit=100&q=loo'])
    await page.locator('clip-finder').evaluate((finder) => finder.setAttribute('gloss', 'pt'))
    expect(await page.locator('datalist option').count()).toBe(0)
    await page
      .getByRole('combobox')
      .evaluate((input) => input.dispatchEvent(new Event('input', { bubbles: true })))
    await expect.poll(() => requests.at(-1)).toBe('/api/words?gloss=pt&limit=100&q=loo')
  })

  longTest('a search cancels the requests for suggestions that it makes obsolete', async () => {
    const page = await openPage()
    // One command, too.
    await page.getByRole('combobox').evaluate((input: HTMLInputElement) => {
      input.value = 'look after'
      input.dispatchEvent(new Event('input', { bubbles: true }))
      input.form!.requestSubmit()
    })
    await page.getByText('2 clips with “look after”').waitFor()
    // Longer than the pause in typing.
    await page.waitForTimeout(400)
    expect(requests).toEqual(['/api/words/look%20after/clips?gloss=es&limit=20'])
  })
})
