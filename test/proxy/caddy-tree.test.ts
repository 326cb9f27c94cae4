import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const page = join(import.meta.dirname, '../../src/site/content/docs/operate/cdn.mdx')
const isCaddyHere = spawnSync('caddy', ['version']).status === 0

test.skipIf(!isCaddyHere)('the documented Caddy configuration caches files but not 404s', async () => {
  const folder = tempFolder()
  for (const name of ['data', 'releases', '.build'])
    mkdirSync(join(folder, 'dist', name), { recursive: true })
  for (const name of ['data/a.json', 'releases/a.bin', 'index.json', 'current.json', '.build/state.json'])
    writeFileSync(join(folder, 'dist', name), '{}')
  const [, block] = /```text\n(tree\.example\.com \{[^`]*)```/.exec(readFileSync(page, 'utf8'))!
  const origin = `http://127.0.0.1:${await freePort()}`
  const site = block!.replace('tree.example.com', origin).replace('/srv/clip-lookup', folder)
  writeFileSync(join(folder, 'Caddyfile'), `{\n  admin off\n  auto_https off\n}\n${site}`)
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  const caddy = spawn('caddy', args, { env: { ...process.env, HOME: folder }, stdio: 'ignore' })
  onTestFinished(async () => {
    caddy.kill()
    await once(caddy, 'close')
  })
  await expect
    .poll(() =>
      fetch(`${origin}/index.json`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  const answers = async (path: string) => {
    const { status, headers } = await fetch(origin + path)
    return [status, headers.get('cache-control'), headers.get('access-control-allow-origin')]
  }
  const year = 'public, max-age=31536000, immutable'
  const minute = 'public, max-age=60'
  expect(await answers('/data/a.json')).toEqual([200, year, '*'])
  expect(await answers('/releases/a.bin')).toEqual([200, year, '*'])
  expect(await answers('/data/none.json')).toEqual([404, minute, '*'])
  expect(await answers('/releases/none.bin')).toEqual([404, minute, '*'])
  expect(await answers('/index.json')).toEqual([200, minute, '*'])
  expect(await answers('/current.json')).toEqual([200, minute, null])
  expect((await answers('/.build/state.json'))[0]).toBe(404)
})
