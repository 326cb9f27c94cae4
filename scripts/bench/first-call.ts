/**
 * How long a newcomer takes from the front page to a first successful request, and then to three
 * requests in the console and a Python script. A browser does what a person would, at a person's
 * pace:
 *
 *   npm start, then: npm run bench:first-call -- http://127.0.0.1:8080
 */
import { execFile } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { chromium } from 'playwright'

const origin = process.argv[2] ?? 'http://127.0.0.1:8080'
/** Reading a page before the next click, and typing one character. */
const readingMs = 3000
const typingMs = 120

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
const page = await context.newPage()
const start = performance.now()
const report = (step: string) =>
  process.stdout.write(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${step}\n`)
const read = () => page.waitForTimeout(readingMs)

await page.goto(origin)
await page.locator('#word-finder[data-ready]').waitFor()
await read()
report('has read the front page')
await page.getByRole('link', { name: 'Get a trial key' }).click()
await read()
await page.getByLabel('Account name').pressSequentially(`newcomer-${process.pid}`, { delay: typingMs })
await page.getByRole('button', { name: 'Create a trial key' }).click()
await page.locator('#new-key').waitFor()
report('has a key')
await read()
await page.getByRole('button', { name: 'Copy the commands' }).click()
await run('bash', ['-c', await page.evaluate(() => navigator.clipboard.readText())])
report('has made a first successful request, with the commands as copied')

await page.getByRole('link', { name: 'console' }).first().click()
await page.locator('#console[data-ready]').waitFor()
for (const operation of ['getFeed', 'listWordClips', 'getTranscript']) {
  await page.getByLabel('Operation', { exact: true }).selectOption(operation)
  await read()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.locator('#console-status .status.good').waitFor()
}
report('has made three requests in the console')

const key = await page.getByLabel('API key').inputValue()
await page.goto(`${origin}/guides/feed/`)
await page.getByRole('tab', { name: 'Python' }).first().click()
await read()
const scripts = page.locator('pre[data-language="python"]')
const walk = (await scripts.allInnerTexts()).find((text) => text.includes('nextCursor'))!
const copied = await scripts.nth((await scripts.allInnerTexts()).indexOf(walk)).evaluate((pre) => {
  const button = pre.parentElement!.querySelector<HTMLElement>('[data-code]')!
  return button.dataset.code!.replaceAll('\u007f', '\n')
})
await run('python3', ['-c', copied], key)
report('has read the feed with the Python script of the guide')
await page.goto(`${origin}/operate/cdn/`)
await read()
report('has read the page about CDNs')
await browser.close()

/** Runs a program. @throws {Error} when it fails, or when the service refuses its request */
async function run(program: string, args: string[], key = ''): Promise<void> {
  const env = { PATH: process.env.PATH, CLIP_LOOKUP_KEY: key }
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 30_000 })
  if (stdout.includes('"error"')) throw new Error(`the request was refused: ${stdout}`)
}
