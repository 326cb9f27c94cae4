import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from '../harness/command.ts'
import { listen } from '../harness/listen.ts'
import { sharedFolder } from '../harness/temp-folder.ts'

const program = join(import.meta.dirname, '../../scripts/setup.mjs')
const folder = sharedFolder()

/** Starts `npm start`, on a port and in a folder of the test. */
function startDemo(...more: string[]) {
  const place = ['--data', join(folder, 'dist'), '--store', `sqlite:${join(folder, 'store.sqlite')}`]
  return start(folder, ['start', '--port', '0', ...place, ...more], {}, program)
}

test('npm start with several workers builds once, creates one key and prints a working curl command', async () => {
  const demo = startDemo('--workers', '3')
  try {
    const [, key, url] = await demo.says(/curl -H 'Authorization: Bearer (clk_\w+)' '(http:[^']+)'/)
    const answer = await fetch(url!, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(3)
    expect(demo.stderr().match(/built the sample corpus/g)).toHaveLength(1)
    expect(demo.stderr().match(/Your trial key/g)).toHaveLength(1)
  } finally {
    demo.child.kill('SIGTERM')
    expect(await demo.exit).toBe(0)
  }
})

test('npm start on a port in use says so in one line', async () => {
  const port = await listen(createServer())
  // The results of the first start exist already.
  const demo = startDemo('--port', String(port))
  expect(await demo.exit).toBe(1)
  expect(demo.stderr()).toContain(`Cannot listen on 127.0.0.1:${port}: the port is in use`)
  expect(demo.stderr()).not.toContain('built the sample corpus')
  expect(demo.stderr()).not.toContain('    at ')
})
