import { execFile, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { environmentName } from '../../scripts/command-line.ts'
import { commandNamed } from '../../scripts/commands.ts'
import { start } from '../harness/command.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'scripts/deploy/systemd')
const names = readdirSync(folder)
const template = 'clip-lookup@.service'

const isHere = spawnSync('systemd-analyze', ['--version']).status === 0
const needed = isHere ? '' : ' (skipped: systemd-analyze is not here)'

/** Returns the units for a project in this folder instead of /opt. */
function unitsHere(): string[] {
  const here = tempFolder()
  // The docs also install the proxy as a template.
  return [...names, template].map((name) => {
    const path = join(here, name)
    const source = join(folder, name === template ? 'clip-lookup.service' : name)
    writeFileSync(path, readFileSync(source, 'utf8').replaceAll('/opt/clip-lookup', root))
    return path
  })
}

function analyze(...args: string[]): Promise<{ code: number; told: string }> {
  return new Promise((resolve) => {
    const child = execFile('systemd-analyze', ['--no-pager', ...args], (_, stdout, stderr) =>
      resolve({ code: child.exitCode!, told: stdout + stderr }),
    )
  })
}

test.skipIf(!isHere)(`systemd accepts the units${needed}`, async () => {
  expect(await analyze('verify', ...unitsHere())).toEqual({ code: 0, told: '' })
})

test.skipIf(!isHere)(`systemd rates the services’ exposure as low${needed}`, async () => {
  const services = unitsHere().filter((path) => path.endsWith('.service'))
  expect(services).toHaveLength(5)
  for (const path of services) {
    // In tenths; from 20 on, it is no longer "OK".
    const { code, told } = await analyze('security', '--offline=true', '--threshold=20', path)
    expect(code, told.split('\n').at(-2)).toBe(0)
  }
})

test('the units set only settings of the commands that they run', async () => {
  for (const name of names.filter((file) => file.endsWith('.service') && !file.includes('@'))) {
    const text = readFileSync(join(folder, name), 'utf8')
    const command = /^ExecStart=\S+ \S+\/scripts\/clip-lookup\.mjs (.*)$/m.exec(text)?.[1]
    const options = commandNamed(command!).options
    const settings = [...text.matchAll(/^Environment=(CLIP_LOOKUP_\w+)=/gm)].map((match) => match[1]!)
    expect(settings).not.toEqual([])
    expect(Object.keys(options).map(environmentName)).toEqual(expect.arrayContaining(settings))
  }
})

test('the docs copy every existing unit', () => {
  const page = readFileSync(join(root, 'src/site/content/docs/operate/systemd.mdx'), 'utf8')
  expect(names).toHaveLength(6)
  expect(page).toContain('scripts/deploy/systemd/*')
  for (const name of names) expect(page).toContain(basename(name))
})

test('the docs restart the service without a gap with a unit template that shares its port', () => {
  const page = readFileSync(join(root, 'src/site/content/docs/operate/systemd.mdx'), 'utf8')
  expect(page).toContain(template)
  const expected = /^Environment=CLIP_LOOKUP_REUSE_PORT=1$/m
  expect(readFileSync(join(folder, 'clip-lookup.service'), 'utf8')).toMatch(expected)
})

test('every unit that another one names for failures exists', () => {
  for (const name of ['clip-lookup.service', 'clip-lookup-build.service', 'clip-lookup-publish.service']) {
    const unit = /^OnFailure=(.*@).*$/m.exec(readFileSync(join(folder, name), 'utf8'))![1]!
    expect(names).toContain(`${unit}.service`)
  }
})

const receiver = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True: print(s.recv(4096).decode(), flush=True)
`
const canReceive =
  spawnSync('python3', ['--version']).status === 0 && spawnSync('systemd-notify', ['--version']).status === 0

test.skipIf(!canReceive)('the service notifies systemd that it is ready, alive and stopping', async () => {
  const folderHere = tempFolder()
  const socket = join(folderHere, 'notify')
  const listener = spawn('python3', ['-c', receiver, socket])
  onTestFinished(() => void listener.kill('SIGKILL'))
  let told = ''
  listener.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
  await expect.poll(() => told).toContain('bound')
  const settings = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' }
  const server = start(folderHere, ['serve', '--port', '0', '--workers', '1'], settings)
  await server.says(/^listening on/m)
  await expect.poll(() => told).toMatch(/READY=1[^]*WATCHDOG=1/)
  server.child.kill('SIGTERM')
  expect(await server.exit).toBe(0)
  await expect.poll(() => told).toContain('STOPPING=1')
})
