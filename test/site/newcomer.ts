import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright'
import { freePort } from '../harness/free-port.ts'

/**
 * Simulates a new user: from a clip on the front page to a key and a first request with the
 * commands as copied, the word page of the guide, then three requests in the console, the Python
 * script that reads the feed, and the page about CDNs. The context of the page must permit its
 * clipboard. Returns the steps.
 *
 * @throws {Error} a page lacks what the next step needs, or the service refuses a request
 */
export async function walkAsNewcomer(page: Page, origin: string, folder: string): Promise<string[]> {
  const steps: string[] = []

  await page.goto(origin)
  await page.locator('#word-finder[data-ready]').waitFor()
  await page.getByRole('button', { name: /^Play “/ }).click()
  await page.locator('.lit').first().waitFor()
  steps.push('has seen a word light up on the front page')
  await page.getByRole('link', { name: 'Get a trial key' }).click()
  const account = `newcomer-${Date.now().toString(36)}`
  await page.getByLabel('Account name').pressSequentially(account)
  await page.getByRole('button', { name: 'Create a trial key' }).click()
  await page.locator('#new-key').waitFor()
  steps.push('has a key')
  await page.getByRole('button', { name: 'Copy the commands' }).click()
  await run('bash', ['-c', await page.evaluate(() => navigator.clipboard.readText())])
  steps.push('has made a first successful request, with the commands as copied')

  const key = await page.locator('#new-key').innerText()
  await page.getByRole('link', { name: 'Docs' }).first().click()
  await page.getByRole('link', { name: 'Build a word page in ten minutes' }).first().click()
  // A script of the page replaces the address that the site was built for.
  const command = await page.locator(`[data-code^="curl -O ${origin}/"]`).getAttribute('data-code')
  const copied = await mkdtemp(join(folder, 'copied-'))
  await promisify(execFile)('bash', ['-c', command!.replaceAll('\u007f', '\n')], { cwd: copied })
  steps.push('has copied the word page')
  await using own = await startExampleServer(origin, key, folder, { folder: copied })
  const wordPage = await page.context().newPage()
  await leadTo(wordPage, origin)
  await wordPage.goto(own.origin)
  await wordPage.getByRole('button', { name: /^Play “/ }).click()
  await wordPage.locator('.lit').first().waitFor()
  await wordPage.close()
  steps.push('has seen a word light up on a page of their own')

  await page.getByRole('link', { name: 'Console', exact: true }).first().click()
  await page.locator('#console[data-ready]').waitFor()
  for (const operation of ['getFeed', 'listWordClips', 'getTranscript']) {
    await page.getByLabel('Operation', { exact: true }).selectOption(operation)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('#console-status .status.good').waitFor()
  }
  steps.push('has made three requests in the console')

  await page.getByRole('link', { name: 'Docs' }).first().click()
  await page.getByRole('link', { name: 'Feed', exact: true }).first().click()
  await page.getByRole('tab', { name: 'Python', exact: true }).last().click()
  const script = page.locator('figure', { has: page.locator('pre[data-language="python"]') }).last()
  await script.scrollIntoViewIfNeeded()
  await script.hover()
  await script.getByRole('button').click()
  await run('python3', ['-c', await page.evaluate(() => navigator.clipboard.readText())], key)
  steps.push('has read the feed with the Python script of the guide')

  await page.getByRole('link', { name: 'Run your own', exact: true }).first().click()
  await page.getByRole('link', { name: 'CDN and static hosts', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'CDN and static hosts' }).waitFor()
  steps.push('has read the page about CDNs')
  return steps
}

/** Makes a page play the sample clips from this service, not from the address in the tree. */
export async function leadTo(page: Page, origin: string): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(/http:\/\/[\d.:]+(?=\/sample-player\/)/g, origin)
    await route.fulfill({ response, body })
  })
}

/** The files that the guides offer for copying. */
export const examples = fileURLToPath(new URL('../../public/examples', import.meta.url))

/** Starts the server of the examples, in their folder or where they were copied to. */
export async function startExampleServer(
  service: string,
  key: string,
  home: string,
  { folder = examples, node = process.execPath } = {},
) {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CLIP_LOOKUP_URL: service,
    CLIP_LOOKUP_KEY: key,
    PORT: String(port),
  }
  const child = spawn(node, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Runs a program. @throws {Error} it fails, or the service refuses its request */
async function run(program: string, args: string[], key = ''): Promise<void> {
  const env = { PATH: process.env.PATH, CLIP_LOOKUP_KEY: key }
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 30_000 })
  if (stdout.trim() === '' || stdout.includes('"error"'))
    throw new Error(`${program} did not get an answer: ${stdout}`)
}
