/**
 * `npm start`: builds the sample corpus and the site, creates a trial key, serves both and shows a
 * request to try. Creates the clips' audio in the background. Passes its arguments to `serve`.
 */
import { spawn } from 'node:child_process'
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createKey, type AdminContext } from '#metering/administer.ts'
import type { Run } from './command-line.ts'
import { commandNamed, commands } from './commands.ts'
import { withStore } from './commands/with-store.ts'
import { runCommand } from './program.ts'
import { readInput } from './read-input.ts'
import { originOf, probePort } from './serve/listen.ts'
import { portNumber } from './serve/settings.ts'

const sampleCorpus = fileURLToPath(new URL('../src/sample-corpus', import.meta.url))
const audioProgram = fileURLToPath(new URL('sample-audio.ts', import.meta.url))

const { argv, stdout, stderr } = process
// Runs in the project's own folder, wherever npm was called from, because the demo belongs to it.
const env = { CLIP_LOOKUP_LOG_LEVEL: 'warn', ...process.env, INIT_CWD: process.cwd() }
const surroundings = { env, stdout, stderr, commands }

const [serve, build] = [commandNamed('serve'), commandNamed('build')]

const start: Run = async (input) => {
  const run = await serve.load()
  // A worker of `serve` runs this same program; the rest is done once, before it.
  if (cluster.isWorker) return await run(input)
  // Checked before anything is built, because an invalid or occupied port must not cost a minute.
  const host = input.values.host!
  const isPortShared = input.switches['reuse-port'] ?? false
  const firstPort = portNumber('port', input.values.port!)
  const port = await probePort({ host, port: firstPort, isPortShared })
  // The pages contain the port: if it is 0, a port must be chosen before they are built.
  input.values.port = String(port)
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const siteUrl = originOf({ address: isEverywhere ? '127.0.0.1' : host, port })
  // The sample clips play in a page of the site, because they have no video.
  const embedUrl = `${siteUrl}/sample-player/?v={videoId}`
  const watchUrl = `${siteUrl}/sample-clips/?v={videoId}`
  const urls = ['--site-url', siteUrl, '--embed-url', embedUrl, '--watch-url', watchUrl]
  const args = ['--corpus', sampleCorpus, '--out', input.values.data!, ...urls]
  const buildInput = readInput(build, args, surroundings)
  buildInput.print = (_, text) => void stderr.write(`built the sample corpus\n${text.replace(/^/gm, '  ')}\n`)
  const runBuild = await build.load()
  await runBuild(buildInput)
  const account = `trial-${randomBytes(4).toString('hex')}`
  const makeKey = (context: AdminContext) => createKey(context, { account })
  const { key } = await withStore(input, makeKey, { makesStore: true })
  const say = input.say
  input.say = (line) => {
    say(line)
    const origin = /^listening on (http:.*)$/.exec(line)?.[1]
    if (!origin) return
    invitation(origin, key).split('\n').forEach(say)
    startSampleAudio(input.path(input.values.data!))
  }
  return await run(input)
}

/** Starts a process that creates the audio of the sample clips. It ends with this process. */
function startSampleAudio(treeFolder: string): void {
  const child = spawn(process.execPath, [audioProgram, treeFolder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.unref()
  process.on('exit', () => child.kill())
}

function invitation(origin: string, key: string): string {
  return `
Your trial key: ${key}
The key is valid for 20 look-ups a month. Try it:

  curl -H 'Authorization: Bearer ${key}' '${origin}/v1/feed?limit=3'

The developer site, with guides, the reference, a console and sign-up for more keys: ${origin}/

More requests to try: /v1/words?q=look  /v1/words/run/clips  /v1/usage
Without a key: /v1/corpus  /v1/openapi.json
Press Ctrl-C to stop the service.
`
}

const summary = 'Build the sample corpus and serve it with a trial key. Arguments are passed to serve.'
const command = { ...serve, summary, load: async () => start }
process.exitCode = await runCommand(command, ['--signup', ...argv.slice(2)], surroundings)
