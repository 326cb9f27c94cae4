import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { builtinModules } from 'node:module'
import { build } from 'esbuild'
import fastGlob from 'fast-glob'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environmentName } from '../../scripts/command-line.ts'
import { commands } from '../../scripts/commands.ts'
import { Metrics } from '#proxy/admin/metrics.ts'
import { readableName, readyName, restartsName } from '#proxy/admin/server.ts'
import { FollowedRelease } from '#proxy/followed.ts'
import { FolderTree } from '#release/tree.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { runProcess, start } from '../harness/command.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { listen } from '../harness/listen.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, 'scripts/deploy', path), 'utf8')

/** Returns the names of all metrics of a process, including those of the parts of histograms. */
async function metricNames(): Promise<Set<string>> {
  const tree = new FolderTree('nowhere')
  const release = new FollowedRelease(tree, { info: () => {}, error: () => {} })
  const metrics = new Metrics(release, tree, {})
  const names = (await metrics.read()).map(({ name }) => name)
  const parts = names.flatMap((name) => [`${name}_bucket`, `${name}_count`])
  return new Set([...names, ...parts, 'up', readyName, readableName, restartsName])
}

test.each(['prometheus/alerts.yml', 'grafana/clip-lookup.json'])('%s queries known metrics', async (path) => {
  const known = await metricNames()
  const asked = new Set(read(path).match(/\b(clip_lookup|nodejs|process)_\w+\b/g))
  expect(asked.size).toBeGreaterThan(5)
  expect([...asked].filter((name) => !known.has(name))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
test.skipIf(!hasPromtool)('promtool accepts the alert rules', () => {
  expectSuccess(['check', 'rules', join(root, 'scripts/deploy/prometheus/alerts.yml')])
})

test.skipIf(!hasPromtool)('each alert fires on its fault, and on no other', () => {
  expectSuccess(['test', 'rules', join(root, 'test/scripts/alerts.promtool.yml')])
})

function expectSuccess(args: string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args)
  expect(status, `${stdout}${stderr}`).toBe(0)
}

test('every alert has a test and an entry in the runbook', () => {
  const alerts = [...read('prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map((match) => match[1]!)
  const tested = readFileSync(join(root, 'test/scripts/alerts.promtool.yml'), 'utf8')
  const runbook = readFileSync(join(root, 'src/site/content/docs/operate/runbook.mdx'), 'utf8')
  expect(alerts.length).toBeGreaterThan(5)
  for (const alert of alerts) {
    expect(tested).toContain(`alertname="${alert}"`)
    expect(runbook).toContain(`### ${alert}`)
    expect(read('prometheus/alerts.yml')).toContain(`/operate/runbook/#${alert.toLowerCase()}`)
  }
})

test('the dashboard is valid JSON, and no two of its panels overlap', () => {
  const { panels } = JSON.parse(read('grafana/clip-lookup.json')) as {
    panels: { id: number; gridPos: { x: number; y: number } }[]
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(panels.length)
})

const containers = ['Containerfile', 'compose.yaml', 'kubernetes/clip-lookup.yaml']
test.each(containers)('%s sets only options that commands accept', async (path) => {
  const settings = [...read(path).matchAll(/(CLIP_LOOKUP_\w+)(=|:|, value:)/g)].map((match) => match[1]!)
  expect(settings.length).toBeGreaterThan(3)
  const entries = commands.filter(({ name }) => ['serve', 'build', 'publish'].includes(name))
  const taken = entries.flatMap(({ options }) => Object.keys(options).map(environmentName))
  expect(taken).toEqual(expect.arrayContaining(settings))
})

const proxyPackages = /^ARG PROXY_PACKAGES="(.*)"$/m.exec(read('Containerfile'))![1]!.split(' ')

test('the proxy’s image has the packages that its commands import, and no others', async () => {
  const names = ['serve', 'keys', 'accounts', 'store', 'releases', 'verify', 'doctor']
  const { metafile } = await build({
    entryPoints: names.map((name) => join(root, `scripts/commands/${name}.ts`)),
    packages: 'external',
    bundle: true,
    platform: 'node',
    format: 'esm',
    outdir: 'none',
    write: false,
    metafile: true,
  })
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  const imported = imports.filter(({ path, external }) => external && !path.startsWith('node:'))
  expect([...new Set(imported.map(({ path }) => packageOf(path)))].sort()).toEqual(
    proxyPackages.filter((name) => name !== 'node'),
  )
})

longTest('with the packages and settings of the image, its commands run and serve listens', async () => {
  const folder = tempFolder()
  for (const name of ['src', 'scripts', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  for (const name of proxyPackages)
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const set = [...read('Containerfile').matchAll(/(CLIP_LOOKUP_\w+)=(\S+)/g)].map((match) => match.slice(1))
  const own = { CLIP_LOOKUP_ADMIN_PORT: '0', CLIP_LOOKUP_DATA_CACHE: 'origin' }
  const settings = { ...(Object.fromEntries(set) as Record<string, string>), ...own }
  const program = join(folder, 'scripts/clip-lookup.mjs')
  const names = ['keys create --account ann', 'accounts usage ann']
  // The commands that are not in `names` fail, because there is no tree.
  for (const name of [...names, 'releases list', 'verify', 'doctor --port 0']) {
    const { code, stderr } = await runProcess(folder, name.split(' '), settings, program)
    expect(stderr, name).not.toMatch(/Cannot find|no setting/)
    expect(code, name).toBe(names.includes(name) ? 0 : 1)
  }
  await start(folder, ['serve', '--port', '0'], settings, program).says(/^listening on/m)
})

test('the image runs without privileges, and copies only production dependencies', () => {
  const text = read('Containerfile')
  expect(text).toContain('--omit=dev')
  expect(text).toMatch(/^USER 10001$/m)
  expect(readFileSync(join(root, '.containerignore'), 'utf8').split('\n')).toContain('node_modules')
})

test('the image’s health check requests the admin port that is set, and fails unless the service is ready', async () => {
  const text = read('Containerfile')
  const [program, ...args] = JSON.parse(/^HEALTHCHECK .*\n {2}CMD (\[.*\])$/m.exec(text)![1]!) as string[]
  expect(program).toBe('node')
  const server = createServer((req, res) => res.writeHead(req.url === '/readyz' ? status : 404).end())
  const port = await listen(server)
  const env = { CLIP_LOOKUP_ADMIN_PORT: String(port) }
  const exitCode = async () => (await once(spawn(process.execPath, args, { env }), 'exit'))[0] as number
  let status = 200
  expect(await exitCode()).toBe(0)
  status = 503
  expect(await exitCode()).toBe(1)
})

test('the program’s imports are installed without the development packages', async () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  const installed = new Set([...Object.keys(dependencies!), ...Object.keys(optionalDependencies!)])
  const files = await fastGlob('{src,scripts}/**/*.ts', {
    cwd: root,
    ignore: ['scripts/bench', 'scripts/check*', 'scripts/generate-client.ts', 'scripts/messages.ts'],
  })
  const pattern = /^(?:import(?! type)|} from|export .*from)[^'\n]*'([@a-z][^']*)'/gm
  const isThere = (name: string) =>
    /^(node|astro):/.test(name) || builtinModules.includes(name) || installed.has(name)
  const missing = files.flatMap((file) => {
    const imports = readFileSync(join(root, file), 'utf8').matchAll(pattern)
    const names = Array.from(imports, ([, name]) => packageOf(name!))
    return names.filter((name) => !isThere(name)).map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
})

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

test('the bin runs the program with the Node that is installed with it', () => {
  const { status, stdout } = spawnSync(join(root, 'scripts/clip-lookup.mjs'), ['serve', '--help'])
  expect(status).toBe(0)
  expect(String(stdout)).toContain('--admin-port')
})

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0
test.skipIf(!hasHaproxy)('the compose file’s load balancer starts without the proxies', () => {
  const path = join(tempFolder(), 'haproxy.cfg')
  const [, command] = /^ +- >-\n((?: {8}.*\n)+)/m.exec(read('compose.yaml'))!
  const script = command!
    .replaceAll('$$', '$')
    .replaceAll('\n', ' ')
    .replace(' /haproxy.cfg', ` ${join(root, 'scripts/deploy/haproxy/haproxy.cfg')}`)
    .replaceAll('/tmp/haproxy.cfg', path)
    .replace('exec haproxy', 'haproxy -c')
  expect(spawnSync('sh', ['-c', script])).toMatchObject({ status: 0 })
  const servers = /server \S+ proxy-[ab]:8080 .*resolvers dns init-addr none$/gm
  expect(readFileSync(path, 'utf8').match(servers)).toHaveLength(4)
})

test('Docker ignores the same files as podman', () => {
  const ignored = (name: string) => readFileSync(join(root, name), 'utf8')
  expect(ignored('.dockerignore')).toBe(ignored('.containerignore'))
})
