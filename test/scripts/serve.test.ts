import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { createServer, connect } from 'node:net'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { send } from '../harness/http-client.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildTree, clips, corpus } from '../nightly/small-corpus.ts'
import { createKey, failure, programPath, run, runJson, start } from '../harness/command.ts'
import { listen } from '../harness/listen.ts'

/** Returns a user's folder with a published tree `dist`. */
async function stand(): Promise<string> {
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'src'), corpus(clips(3)))
  await buildTree(join(folder, 'src'), join(folder, 'dist'))
  return folder
}

const listening = /^listening on (http:\/\/\S+:(\d+))$/m

async function serving(
  folder: string,
  args: string[] = ['--port', '0', '--workers', '1'],
  settings: Record<string, string> = {},
) {
  const server = start(folder, ['serve', ...args], settings)
  const [, origin] = await server.says(listening)
  return { ...server, origin: origin! }
}

/** Returns the outcome of a new connection: `open`, or the error code. */
function connectionTo(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!))
    socket.on('connect', () => {
      resolve('open')
      socket.destroy()
    })
  })
}

describe('serve', () => {
  test('prints its address on stderr, answers there with a key that was created beside it, and ends on SIGINT', async () => {
    const folder = await stand()
    const { origin, child, exit, stdout } = await serving(folder)
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    const corpus = await send(origin, '/v1/corpus')
    expect(corpus.json).toMatchObject({ clipCount: 3 })
    // The default of --public-per-minute.
    expect(corpus.headers['x-ratelimit-limit']).toBe('600')
    const key = await createKey(folder)
    expect((await send(origin, '/v1/clips/v1', { key })).json).toMatchObject({ title: 'About v1' })
    expect(await runJson(folder, ['accounts', 'usage', 'ann'])).toMatchObject({ requests: 1 })
    child.kill('SIGINT')
    expect(await exit).toBe(0)
    expect(stdout()).toBe('')
  })

  test('opens no debugger on SIGUSR1, which could reveal keys; on SIGTERM, accepts no new connection, finishes the current response and exits with 0', async () => {
    const folder = await stand()
    const { origin, child, exit, says, stderr } = await serving(folder, ['--port', '0', '--workers', '2'])
    const workers = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
    expect(workers).toHaveLength(2)
    for (const pid of [child.pid!, ...workers.map(Number)]) process.kill(pid, 'SIGUSR1')
    const port = Number(new URL(origin).port)
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString('latin1')))
    const closed = once(socket, 'close')
    // A whole request and half of a second one in one write: once the first is answered, the second
    // has started.
    const request = 'GET /v1/corpus HTTP/1.1\r\nHost: x\r\n\r\n'
    socket.write(request + request.slice(0, 20))
    while (!received.includes('"clipCount"')) await once(socket, 'data')
    child.kill('SIGTERM')
    await says(/SIGTERM: draining/)
    // The primary says it first; each worker closes the port itself.
    await expect.poll(() => connectionTo(port)).toBe('ECONNREFUSED')
    socket.write(request.slice(20))
    await closed
    expect(received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(await exit).toBe(0)
    expect(stderr()).not.toContain('Debugger listening')
  })

  test('starts without a tree, says so and returns 503, then loads the first release and the next', async () => {
    const folder = tempFolder()
    await writeSourceFolder(join(folder, 'src'), corpus(clips(3)))
    const { origin, says } = await serving(folder, ['--port', '0', '--workers', '2', '--data', 'later/tree'])
    await says(/there is no published release in/)
    expect((await send(origin, '/v1/corpus')).status).toBe(503)
    for (const count of [3, 5]) {
      await writeSourceFolder(join(folder, 'src'), corpus(clips(count)))
      const { release } = await buildTree(join(folder, 'src'), join(folder, 'later/tree'))
      await says(new RegExp(`release ${release} is in service`))
      // Every worker loads the release on its own, so the first answers may still be old.
      const served = async () => (await send(origin, '/v1/corpus')).json
      await expect.poll(served).toMatchObject({ release, clipCount: count })
    }
  })

  test('reads settings from the environment, with flags first and paths relative to INIT_CWD; logs library warnings as JSON', async () => {
    const folder = await stand()
    const library = join(folder, 'library.mjs')
    writeFileSync(library, `process.once('SIGHUP', () => process.emitWarning('beware'))`)
    const settings = {
      NODE_OPTIONS: `--import=${library}`,
      CLIP_LOOKUP_WORKERS: '1',
      CLIP_LOOKUP_DATA: 'dist',
      CLIP_LOOKUP_STORE: 'sqlite:my store/s.sqlite',
      CLIP_LOOKUP_PORT: String(await listen(createServer())),
      CLIP_LOOKUP_PUBLIC_PER_MINUTE: '5',
    }
    const { origin, child, says } = await serving(folder, ['--port', '0'], settings)
    expect(existsSync(join(folder, 'my store/s.sqlite'))).toBe(true)
    const { status, headers } = await send(origin, '/v1/corpus')
    expect([status, headers['x-ratelimit-limit']]).toEqual([200, '5'])
    child.kill('SIGHUP')
    await says(/"level":40.*"msg":"beware"/)
  })

  test.each<[string[], string]>([
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, but it is "65536".'],
    [['--public-per-minute', '0'], '--public-per-minute must be a whole number from 1'],
    [['--trust-proxy', 'nonsense'], 'nonsense'],
    [['--log-level', 'loud'], '--log-level must be'],
    [['--data', 'http://cdn.example/tree'], 'the address must begin with https://'],
    [['--data', 's3://bucket/tree'], '--data must be a folder, or an address'],
    [['--data-interval', '0'], '--data-interval must be a whole number from 1'],
  ])('%j exits with 2', async (args, message) => {
    expect(await run(tempFolder(), ['serve', ...args])).toEqual(failure(2, message))
  })

  test('exits with 1 and names the file if the plans cannot be read', async () => {
    expect(await run(tempFolder(), ['serve', '--plans', 'none.json'])).toEqual(
      failure(1, /^.*none\.json.*\n$/),
    )
  })
})

test('refuses connections with 503 that would use the last descriptors, and stays in service', async () => {
  const folder = await stand()
  const serve = [programPath, 'serve', '--port', '0', '--workers', '1']
  const child = spawn('sh', ['-c', 'ulimit -n 300; exec "$0" "$@"', process.execPath, ...serve], {
    env: { PATH: process.env.PATH, INIT_CWD: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  const lines = createInterface({ input: child.stderr })
  const origin = await new Promise<string>((resolve) =>
    lines.on('line', (line) => {
      const origin = listening.exec(line)?.[1]
      if (origin) resolve(origin)
    }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const kept = () => send(origin, '/v1/corpus', { agent })
  expect((await kept()).status).toBe(200)
  const statuses: string[] = []
  for (let i = 0; i < 400; i++) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1')
    socket.on('data', (bytes) => statuses.push(bytes.toString('latin1', 0, 12)))
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
  }
  await expect.poll(() => statuses.length).toBeGreaterThan(50)
  expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 503']))
  expect((await kept()).status).toBe(200)
  agent.destroy()
})
