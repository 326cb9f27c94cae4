import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine, if it has one: `node scripts/setup.mjs test` installs it. */
export const fullBrowserProgram = programs.find((path) => existsSync(path))

/** The browser without a window or extensions, if it is installed: it takes a quarter less time. */
export const browserProgram = ['/usr/bin/chromium-headless-shell', ...programs].find((path) =>
  existsSync(path),
)

if (!browserProgram) process.stderr.write('no Chromium here: the tests in a browser are skipped\n')

/** With these arguments, the browser sends no requests of its own. */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserProgram!, args: browserArguments })
}

/** Starts a browser for all tests of a file or a suite. */
export function sharedBrowser() {
  let browser: Browser | undefined
  beforeAll(async () => void (browser = await startBrowser()))
  afterAll(() => browser?.close())
  return {
    newContext: (options?: BrowserContextOptions) => browser!.newContext(options),
    /** Opens a page for the running test. */
    async newPage(): Promise<Page> {
      const page = await browser!.newPage()
      onTestFinished(() => page.close())
      return page
    },
  }
}
