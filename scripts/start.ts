/** `npm start`: builds the sample corpus and the site, makes a trial key and serves both, with a line to try. Arguments go to `serve`. */
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { commandHelp, Failure, readInput, UsageError, type Command, type Input } from './command-line.ts'
import { buildCommand } from './commands/build.ts'
import { keysCommands } from './commands/keys.ts'
import { serveCommand } from './commands/serve.ts'

const sampleCorpus = fileURLToPath(new URL('../src/sample-corpus', import.meta.url))

async function start(args: string[]): Promise<void> {
  // The project's own folder, wherever npm was called from: the demo is one.
  const env = { CLIP_LOOKUP_LOG_LEVEL: 'warn', ...process.env, INIT_CWD: process.cwd() }
  const serve = readInput(serveCommand, ['--signup', ...args], env)
  if (serve.switches.help) return void process.stdout.write(commandHelp(serveCommand) + '\n')
  // A worker of `serve` runs this same program; what follows is done once, before it.
  if (cluster.isWorker) return void (await serveCommand.run(serve))
  const build = readInput(buildCommand, ['--corpus', sampleCorpus, '--out', serve.values.data!], env)
  build.print = (_, text) => process.stderr.write(`built the sample corpus\n${text.replace(/^/gm, '  ')}\n`)
  await buildCommand.run(build)
  const key = await trialKey(serve, env)
  const say = serve.say
  serve.say = (line) => {
    say(line)
    const origin = /^listening on (http:.*)$/.exec(line)?.[1]
    if (origin) say(invitation(origin, key))
  }
  await serveCommand.run(serve)
}

async function trialKey(serve: Input, env: NodeJS.ProcessEnv): Promise<string> {
  const create: Command = keysCommands.find(({ name }) => name === 'keys create')!
  const account = `trial-${randomBytes(4).toString('hex')}`
  const plans = serve.values.plans === undefined ? [] : ['--plans', serve.values.plans]
  const input = readInput(create, ['--account', account, '--store', serve.values.store!, ...plans], env)
  let key = ''
  input.print = (data) => void (key = (data as { key: string }).key)
  input.say = () => {}
  await create.run(input)
  return key
}

function invitation(origin: string, key: string): string {
  return `
Your trial key: ${key}
It has 20 look-ups. Try it:

  curl -H 'Authorization: Bearer ${key}' '${origin}/v1/feed?limit=3'

The developer site, with guides, reference, console and more keys: ${origin}/

More to ask for: /v1/words?q=look  /v1/words/run/clips  /v1/usage; without a key: /v1/corpus and /v1/openapi.json.
Ctrl-C stops the service.
`
}

try {
  await start(process.argv.slice(2))
} catch (error) {
  process.stderr.write(
    error instanceof Failure || error instanceof UsageError
      ? `${error.message}\n`
      : `${(error as Error).stack}\n`,
  )
  process.exitCode = error instanceof UsageError ? 2 : 1
}
