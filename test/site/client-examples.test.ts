import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { hasAllFaultRounds, longTest } from '../harness/fault-rounds.ts'
import { browserArguments, browserProgram, fullBrowserProgram, sharedBrowser } from '../harness/browser.ts'
import { installClient } from '../harness/client-package.ts'
import { nodes } from '../harness/nodes.ts'
import { sharedSmallService } from '../proxy/small-service.ts'
import { examples, startExampleServer } from './newcomer.ts'

describe.skipIf(!browserProgram)('the examples with the client', () => {
  const service = sharedSmallService()
  const browser = sharedBrowser()
  let app: string
  let server: Awaited<ReturnType<typeof startExampleServer>>

  beforeAll(async () => {
    app = join(service.folder, 'app')
    cpSync(join(examples, 'client'), app, { recursive: true })
    installClient(app)
    const options = { folder: app, node: nodes.at(-1)! }
    server = await startExampleServer(service.origin, service.key, service.folder, options)
  })

  afterAll(() => server?.[Symbol.asyncDispose]())

  async function openPage(path: string): Promise<Page> {
    const page = await browser.newPage()
    page.setDefaultTimeout(15_000)
    // No request leaves the machine.
    await page.route(/youtube|ytimg/, (route) => route.fulfill({ body: '' }))
    await page.goto(`${server.origin}/${path}`)
    return page
  }

  test('the quick start’s page finds a phrase in 20 lines and plays it', async () => {
    expect(
      readFileSync(join(examples, 'client', 'finder.html'), 'utf8')
        .trim()
        .split('\n').length,
    ).toBeLessThan(21)
    const page = await openPage('finder.html')
    await page.getByRole('combobox').fill('the watchmaker')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'The watchmaker is meticulous.' }).click()
    expect(await page.locator('clip-player iframe').getAttribute('src')).toContain('/embed/watchmaker?')
  })

  longTest('a double-click looks up a word in the pop-up dictionary, once for each word', async () => {
    const page = await openPage('dictionary.html')
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page
      .locator('p')
      .last()
      .evaluate((text) => (text.textContent = 'looks zebra'))
    const look = async (word: string) => {
      await page.evaluate((text) => {
        const node = document.querySelector('p:last-of-type')!.firstChild!
        const start = node.textContent!.indexOf(text)
        getSelection()!.setBaseAndExtent(node, start, node, start + text.length)
        document.dispatchEvent(new MouseEvent('dblclick', { clientX: 20, clientY: 20 }))
      }, word)
    }
    await look('looks')
    await page.getByRole('status').getByText('look (A1): to turn the eyes to “').waitFor()
    await look('zebra')
    await page.getByRole('status').getByText('“zebra” is not in the list.').waitFor()
    const count = requests.length
    await look('looks')
    await page.getByRole('status').getByText('look (A1)').waitFor()
    expect(requests.length).toBe(count)
  })

  longTest('a word of the interactive transcript plays the clip and shows its meaning', async () => {
    const page = await openPage('transcript.html?clip=cat-sitter')
    await page.getByRole('heading', { name: 'The title of cat-sitter' }).waitFor()
    await page.getByRole('button', { name: 'cats', exact: true }).click()
    await page.getByText('cat (A1): a small animal that purrs').waitFor()
    const frame = page.locator('clip-player iframe')
    expect(await frame.getAttribute('src')).toContain('/embed/cat-sitter?')
    const marked = page.locator('p > button[aria-current=true]')
    await marked.waitFor()
    expect(await marked.textContent()).toBe('cats')
  })

  test.runIf(hasAllFaultRounds && fullBrowserProgram)('the extension works on any page', async () => {
    const extension = join(app, 'extension')
    const clientFolder = join(app, 'node_modules/clip-lookup-client/dist')
    cpSync(clientFolder, join(extension, 'clip-lookup-client'), { recursive: true })
    for (const name of ['manifest.json', 'background.js']) {
      const text = readFileSync(join(extension, name), 'utf8')
      writeFileSync(join(extension, name), text.replace('http://127.0.0.1:3000', server.origin))
    }
    const context = await chromium.launchPersistentContext(join(service.folder, 'profile'), {
      executablePath: fullBrowserProgram!,
      args: [
        ...browserArguments,
        `--disable-extensions-except=${extension}`,
        `--load-extension=${extension}`,
      ],
      ignoreDefaultArgs: ['--disable-extensions'],
    })
    onTestFinished(() => context.close())
    if (context.serviceWorkers().length === 0) await context.waitForEvent('serviceworker')
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    await page.route('http://pages.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>meticulous</p>' }),
    )
    await page.goto('http://pages.example/')
    await page.getByText('meticulous').dblclick()
    const box = page.locator('clip-look-up')
    await box.getByText('meticulous (C1)').waitFor()
    const link = box.getByRole('link', { name: 'The watchmaker is meticulous.' })
    expect(await link.getAttribute('href')).toMatch(/watch\?v=watchmaker&t=\d+s$/)
  })
})
