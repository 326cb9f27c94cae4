/**
 * `npm start`: builds the sample corpus and the site, makes a trial key, serves both and shows a
 * request to try. Arguments go to `serve`.
 */
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Input, NamedCommand } from './command-line.ts'
import { commands } from './commands.ts'
import { buildRelease } from './commands/build.ts'
import { create } from './commands/keys.ts'
import { serveTree } from './commands/serve.ts'
import { runCommand } from './program.ts'
import { readInput } from './read-input.ts'
import { originOf, probePort } from './serve/listen.ts'
import { portNumber } from './serve/settings.ts'

const sampleCorpus = fileURLToPath(new URL('../src/sample-corpus', import.meta.url))

const { argv, stdout, stderr } = process
// The project's own folder, wherever npm was called from: the demo is one.
const env = { CLIP_LOOKUP_LOG_LEVEL: 'warn', ...process.env, INIT_CWD: process.cwd() }
const surroundings = { env, stdout, stderr, commands }

const start: NamedCommand = {
  ...serveTree,
  name: 'serve',
  summary: 'Build the sample corpus and serve it with a trial key. Arguments are passed to serve.',
  async run(serve) {
    // A worker of `serve` runs this same program; what follows is done once, before it.
    if (cluster.isWorker) return await serveTree.run(serve)
    // Before anything is built: a wrong or taken port must not cost a minute.
    const host = serve.values.host!
    const isPortShared = serve.switches['reuse-port'] ?? false
    const wanted = portNumber('port', serve.values.port!)
    const port = await probePort({ host, port: wanted, isPortShared })
    // The pages name it: for port 0 it must be known before they are built.
    serve.values.port = String(port)
    const siteUrl = originOf({ address: isWildcard(host) ? '127.0.0.1' : host, port })
    // The sample clips play in a page of the site: no video is behind them.
    const embedUrl = `${siteUrl}/sample-player/?v={videoId}`
    const args = ['--out', serve.values.data!, '--site-url', siteUrl, '--embed-url', embedUrl]
    const build = readInput(buildRelease, ['--corpus', sampleCorpus, ...args], surroundings)
    build.print = (_, text) => stderr.write(`built the sample corpus\n${text.replace(/^/gm, '  ')}\n`)
    await buildRelease.run(build)
    const key = await trialKey(serve)
    const say = serve.say
    serve.say = (line) => {
      say(line)
      const origin = /^listening on (http:.*)$/.exec(line)?.[1]
      if (origin) invitation(origin, key).split('\n').forEach(say)
    }
    return await serveTree.run(serve)
  },
}

/** Whether a service on that host listens on every address of the machine. */
function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

async function trialKey(serve: Input): Promise<string> {
  const account = `trial-${randomBytes(4).toString('hex')}`
  const plans = serve.values.plans === undefined ? [] : ['--plans', serve.values.plans]
  const args = ['--account', account, '--store', serve.values.store!, ...plans]
  const input = readInput(create, args, surroundings)
  let key = ''
  input.print = (data) => void (key = (data as { key: string }).key)
  input.say = () => {}
  await create.run(input)
  return key
}

function invitation(origin: string, key: string): string {
  return `
Your trial key: ${key}
The key is valid for 20 look-ups. Try it:

  curl -H 'Authorization: Bearer ${key}' '${origin}/v1/feed?limit=3'

The developer site, with guides, the reference, a console and sign-up for more keys: ${origin}/

More requests to try: /v1/words?q=look  /v1/words/run/clips  /v1/usage
Without a key: /v1/corpus  /v1/openapi.json
Press Ctrl-C to stop the service.
`
}

process.exitCode = await runCommand(start, ['--signup', ...argv.slice(2)], surroundings)
