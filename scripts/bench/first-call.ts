/**
 * How long a newcomer takes from the front page to a first successful request, and then to three
 * requests in the console and a Python script. A browser does what a person would, at a person's
 * pace:
 *
 *   npm start, then: npm run bench:first-call -- http://127.0.0.1:8080 [folder for screenshots]
 */
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { chromium } from 'playwright'
import { walkAsNewcomer } from './newcomer.ts'

const [, , origin = 'http://127.0.0.1:8080', folder] = process.argv
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
const page = await context.newPage()
const start = performance.now()
let steps = 0
try {
  await walkAsNewcomer(page, origin, {
    readingMs: 3000,
    typingMs: 120,
    async onStep(step) {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      process.stdout.write(`${seconds.padStart(6)} s  ${step}\n`)
      if (folder) await page.screenshot({ path: join(folder, `${++steps}.png`) })
    },
  })
} finally {
  await browser.close()
}
