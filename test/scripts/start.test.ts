import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listen } from '../harness/listen.ts'
import { sharedFolder } from '../harness/temp-folder.ts'

const root = new URL('../..', import.meta.url).pathname

/** Starts `npm start`, on a port and in folders of the test. */
function startDemo(folder: string, ...more: string[]) {
  const args = [
    '--port',
    '0',
    '--data',
    join(folder, 'dist'),
    '--store',
    `sqlite:${join(folder, 'store.sqlite')}`,
  ]
  const child = spawn(process.execPath, [join(root, 'scripts/setup.mjs'), 'start', ...args, ...more], {
    cwd: root,
    // The site has its own tests.
    env: { ...process.env, CLIP_LOOKUP_NO_SITE: '1' },
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const until = async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(said)
      if (found) return found
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return { child, until, said: () => said }
}

const folder = sharedFolder()

test('npm start with several workers builds once, creates one key and prints a working curl command', async () => {
  const demo = startDemo(folder, '--workers', '3')
  try {
    const [, key, url] = await demo.until(/curl -H 'Authorization: Bearer (clk_\w+)' '(http:[^']+)'/)
    const answer = await fetch(url!, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { items: unknown[] }).items).toHaveLength(3)
    expect(demo.said().match(/built the sample corpus/g)).toHaveLength(1)
    expect(demo.said().match(/Your trial key/g)).toHaveLength(1)
  } finally {
    demo.child.kill('SIGTERM')
    const [code] = await once(demo.child, 'exit')
    expect(code).toBe(0)
  }
})

test('npm start on a port in use says so in one line', async () => {
  const port = await listen(createServer())
  // The results of the first start exist already.
  const demo = startDemo(folder, '--port', String(port))
  const [code] = await once(demo.child, 'exit')
  expect(code).toBe(1)
  expect(demo.said()).toContain(`Cannot listen on 127.0.0.1:${port}: the port is in use`)
  expect(demo.said()).not.toContain('built the sample corpus')
  expect(demo.said()).not.toContain('    at ')
})
