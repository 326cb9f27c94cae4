import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import pino from 'pino'
import { TrustedProxies } from '#proxy/client-address.ts'
import { startProxy } from '#proxy/start.ts'
import { openTree, type Tree } from '#release/tree.ts'
import { Failure, UsageError, wholeNumber, type Command, type Input } from '../command-line.ts'
import { openStoreFrom, readPlans, storeOptions } from './store-options.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'The proxy: authenticates, meters and answers the API from a published tree.',
  options: {
    data: {
      value: 'DIR',
      description: 'the published tree: a folder, or the https:// address of a CDN that serves it',
      default: 'dist',
    },
    ...storeOptions,
    host: { value: 'H', description: 'address to listen on', default: '127.0.0.1' },
    port: { value: 'N', description: 'port to listen on; 0: any free one', default: '8080' },
    'public-per-minute': {
      value: 'N',
      description: 'requests a minute that an address may make without a key',
      default: '600',
    },
    'trust-proxy': {
      value: 'LIST',
      description: 'addresses and networks whose X-Forwarded-For counts, comma separated',
    },
    'data-token': {
      value: 'TOKEN',
      description: 'bearer credential for the CDN; better set in the environment',
    },
    'log-level': {
      value: 'LEVEL',
      description: 'fatal, error, warn, info, debug or silent',
      default: 'info',
    },
  },
  async run(input) {
    if (input.positionals.length > 0) throw new UsageError(`unexpected "${input.positionals[0]}"`)
    const port = wholeNumber('port', input.values.port!, 0, 65_535)
    const publicPerMinute = wholeNumber(
      'public-per-minute',
      input.values['public-per-minute']!,
      1,
      1_000_000_000,
    )
    const trustedProxies = usage(() => new TrustedProxies(input.values['trust-proxy'] ?? ''))
    const log = createLog(input)
    const tree = usage(() => treeOf(input))
    const plans = readPlans(input)
    const store = await openStoreFrom(input, plans)
    const proxy = await startProxy({ tree, store, trustedProxies, publicPerMinute, log })
    try {
      proxy.server.listen(port, input.values.host)
      await once(proxy.server, 'listening')
    } catch (error) {
      await proxy.stop()
      throw new Failure(listenFault(error as NodeJS.ErrnoException, input.values.host!, port))
    }
    const { address, port: actual, family } = proxy.server.address() as AddressInfo
    input.say(`listening on http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`)
    const signal = await stopSignal(input.env)
    log.info(`${signal}: draining`)
    await proxy.stop()
  },
}

/** Waits for the signal to stop. Those that follow are ignored: a terminal sends one to every process of the group, and npm forwards it too. */
function stopSignal(env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
    if (env.npm_lifecycle_event !== undefined) onParentGone(() => resolve('npm is gone'))
  })
}

/** npm (11) dies of SIGTERM without passing it on: what it ran would hold the port for ever. */
function onParentGone(stop: () => void): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop(), 500).unref()
}

function treeOf(input: Input): Tree {
  const data = input.values.data!
  return openTree(/^https?:\/\//.test(data) ? data : input.path(data), input.values['data-token'])
}

function createLog(input: Input): pino.Logger {
  const level = input.values['log-level']!
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'silent'].includes(level)) {
    throw new UsageError(`--log-level must be fatal, error, warn, info, debug or silent, got "${level}"`)
  }
  return pino(
    { level, base: null, redact: ['req.headers.authorization'] },
    pino.destination({ dest: 2, sync: true }),
  )
}

function usage<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function listenFault({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `cannot listen on ${host}:${port}: the port is taken; choose another with --port`
  if (code === 'EACCES')
    return `cannot listen on ${host}:${port}: not allowed; choose a port above 1023 with --port`
  return `cannot listen on ${host}:${port}: ${message}`
}
