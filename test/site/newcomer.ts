import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright'

/**
 * What somebody new does: from the front page to a key and a first request with the commands as
 * copied, then three requests in the console, the Python script that reads the feed, and the page
 * about CDNs. The context of the page must permit its clipboard. Returns the steps that were
 * taken.
 *
 * @throws {Error} a page lacks what the next step needs, or the service refuses a request
 */
export async function walkAsNewcomer(page: Page, origin: string): Promise<string[]> {
  const steps: string[] = []

  await page.goto(origin)
  await page.locator('#word-finder[data-ready]').waitFor()
  steps.push('has read the front page')
  await page.getByRole('link', { name: 'Get a trial key' }).click()
  const account = `newcomer-${Date.now().toString(36)}`
  await page.getByLabel('Account name').pressSequentially(account)
  await page.getByRole('button', { name: 'Create a trial key' }).click()
  await page.locator('#new-key').waitFor()
  steps.push('has a key')
  await page.getByRole('button', { name: 'Copy the commands' }).click()
  await run('bash', ['-c', await page.evaluate(() => navigator.clipboard.readText())])
  steps.push('has made a first successful request, with the commands as copied')

  await page.getByRole('link', { name: 'console' }).first().click()
  await page.locator('#console[data-ready]').waitFor()
  for (const operation of ['getFeed', 'listWordClips', 'getTranscript']) {
    await page.getByLabel('Operation', { exact: true }).selectOption(operation)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('#console-status .status.good').waitFor()
  }
  steps.push('has made three requests in the console')

  const key = await page.getByLabel('API key').inputValue()
  await page.getByRole('link', { name: 'Docs' }).first().click()
  await page.getByRole('link', { name: 'Feed', exact: true }).first().click()
  await page.getByRole('tab', { name: 'Python' }).last().click()
  const script = page.locator('figure', { has: page.locator('pre[data-language="python"]') }).last()
  await script.scrollIntoViewIfNeeded()
  await script.hover()
  await script.getByRole('button').click()
  await run('python3', ['-c', await page.evaluate(() => navigator.clipboard.readText())], key)
  steps.push('has read the feed with the Python script of the guide')

  await page.getByText('Run your own', { exact: true }).click()
  await page.getByRole('link', { name: 'CDN', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'CDN' }).waitFor()
  steps.push('has read the page about CDNs')
  return steps
}

/** Runs a program. @throws {Error} when it fails, or when the service refuses its request */
async function run(program: string, args: string[], key = ''): Promise<void> {
  const env = { PATH: process.env.PATH, CLIP_LOOKUP_KEY: key }
  const { stdout } = await promisify(execFile)(program, args, { env, timeout: 30_000 })
  if (stdout.trim() === '' || stdout.includes('"error"'))
    throw new Error(`${program} did not get an answer: ${stdout}`)
}
