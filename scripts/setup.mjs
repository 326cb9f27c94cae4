/**
 * What `npm start`, `npm test` and `npm run check` need on a bare clone: installs once, then starts
 * the Node that is a dependency. Uses only old syntax, because it runs on the machine's own Node.
 *
 *   node scripts/setup.mjs start|test|check|install [arguments…]
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const ownNode = join(root, 'node_modules', 'node', 'bin', 'node')
const stampPath = join(root, 'node_modules', '.clip-lookup-installed')
const neededMajor = 26

const doors = {
  install: null,
  start: ['node', 'scripts/start.ts'],
  test: ['vitest', 'run'],
  check: ['node', 'scripts/check.ts'],
}

function main([verb, ...args]) {
  if (!(verb in doors)) fail(`usage: node scripts/setup.mjs ${Object.keys(doors).join('|')}`, 2)
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20)
    fail(`the project needs Node 20 or later, but this is ${process.version}. See https://nodejs.org`)
  install()
  if (verb === 'test' || (verb === 'check' && !args.includes('--no-tests'))) installTestPrograms()
  const door = doors[verb]
  if (door) run(door[0], [...door.slice(1), ...args])
}

/** Installs the dependencies unless those of this package.json and lock file are installed. */
function install() {
  const installStamp = createHash('sha256')
    .update(readFileSync(join(root, 'package.json')))
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const isDone =
    existsSync(stampPath) && readFileSync(stampPath, 'utf8') === installStamp && existsSync(ownNode)
  if (isDone) return
  process.stderr.write('installing dependencies …\n')
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error']
  const { status, stderr, error } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  })
  if (error || status !== 0) fail(`npm install failed: ${installFault(error ? error.message : stderr)}`)
  if (!existsSync(ownNode))
    fail(
      `npm install left out Node ${neededMajor}: its install script did not run; allow it with "npm install --foreground-scripts node"`,
    )
  writeFileSync(stampPath, installStamp)
}

/** Programs that tests run, with their Debian packages. Without them, tests are skipped. */
const testPrograms = [
  {
    what: 'the tests of the Redis store',
    paths: ['redis-server', 'valkey-server'],
    packages: ['redis-server'],
  },
  { what: 'the examples of the published files', paths: ['jq'], packages: ['jq'] },
  { what: 'the tests behind nginx', paths: ['nginx'], packages: ['nginx-light'] },
  { what: 'the test of the HAProxy configuration', paths: ['haproxy'], packages: ['haproxy'] },
  { what: 'the test of the Caddy configuration', paths: ['caddy'], packages: ['caddy'] },
  {
    what: 'the tests in a browser',
    paths: ['chromium', 'chromium-browser', 'google-chrome'],
    packages: ['chromium', 'chromium-headless-shell', 'fonts-noto-cjk'],
  },
]

/** Installs programs for tests, as root on Debian; elsewhere, says which tests are skipped. */
function installTestPrograms() {
  for (const { what, paths, packages } of testPrograms) {
    if (paths.some(isProgram)) continue
    const names = packages.join(' ')
    const isRoot = process.getuid !== undefined && process.getuid() === 0
    if (isRoot && isProgram('apt-get')) {
      process.stderr.write(`installing ${names} for ${what} …\n`)
      installPackages(packages)
    }
    if (!paths.some(isProgram))
      process.stderr.write(`skipping ${what}: ${paths[0]} is not installed (apt-get install ${names})\n`)
  }
}

function isProgram(name) {
  const folders = process.env.PATH.split(delimiter).concat('/usr/sbin', '/usr/bin')
  return folders.some((folder) => existsSync(join(folder, name)))
}

/** Installs Debian packages without starting services: nobody wants a Redis open to all. */
function installPackages(packages) {
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300'].concat(args), {
      env: Object.assign({}, process.env, { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }),
      stdio: 'ignore',
    }).status === 0
  const install = () => apt.apply(null, ['install', '-y', '--no-install-recommends'].concat(packages))
  if (!install() && apt('update')) install()
  for (const service of ['redis-server', 'nginx', 'haproxy', 'caddy'])
    if (packages.some((name) => name.startsWith(service))) spawnSync('service', [service, 'stop'])
}

/** Returns the most useful line of npm's output. */
function installFault(text) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|network/i.test(text))
    return 'the npm registry cannot be reached. Check the network'
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines.slice(0, 3).join(' ') : 'npm gave no reason'
}

/**
 * Runs a command in place of this one: forwards signals, and exits with its code. npm dies of
 * SIGTERM without forwarding it, so its end counts as a signal.
 */
function run(command, args) {
  const env = Object.assign({}, process.env, { PATH: bin + delimiter + process.env.PATH })
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && child.kill('SIGTERM'), 500).unref()
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code) => process.exit(code === null ? 1 : code))
}

function fail(message, code = 1) {
  process.stderr.write(message + '\n')
  process.exit(code)
}

main(process.argv.slice(2))
