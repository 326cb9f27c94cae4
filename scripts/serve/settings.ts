import { availableParallelism } from 'node:os'
import pino from 'pino'
import { z } from 'zod'
import { closestOf } from '#kit/closest.ts'
import { maskCredentials } from '#kit/mask-credentials.ts'
import { TrustedProxies } from '#proxy/http/client-address.ts'
import { isHttpAddress, openTree, parseOriginAddress } from '#release/origin/open-tree.ts'
import type { Tree } from '#release/tree.ts'
import {
  checkValue,
  environmentName,
  isAddress,
  orUsageError,
  UsageError,
  wholeNumber,
  type Input,
} from '../command-line.ts'
import { readPlans } from '../commands/with-store.ts'
import { canReusePort } from './listen.ts'

/** May be missing when the service starts. `build` writes to the same name. */
export const defaultData = 'dist'

const durabilitySchema = z.enum(['process', 'power'], 'must be process or power')
const logLevelSchema = z.enum(
  ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
  'must be fatal, error, warn, info, debug or silent',
)

/** The values of the options of `serve`. */
export type Settings = ReturnType<typeof readSettings>

/** @throws {UsageError | Failure} an option is invalid */
export function readSettings(input: Input) {
  const { values, switches } = input
  const log = createLog(checkValue('log-level', logLevelSchema, values['log-level']!))
  const { site, 'access-log': accessLog, 'admin-port': adminPort } = values
  const perDay = (option: string) => wholeNumber(option, values[option]!, 1, 1_000_000)
  const signUpLimits = { perDay: perDay('signup-per-day'), totalPerDay: perDay('signup-total-per-day') }
  return {
    durability: checkValue('durability', durabilitySchema, values.durability!),
    host: values.host!,
    port: portNumber('port', values.port!),
    /** Whether another service may listen on the same ports. */
    isPortShared: readReusePort(input),
    workers:
      values.workers === undefined ? availableParallelism() : wholeNumber('workers', values.workers, 1, 1024),
    /** Null without an admin listener. */
    adminPort: adminPort === undefined ? null : portNumber('admin-port', adminPort),
    adminHost: values['admin-host']!,
    /** Null without an admin API. */
    adminToken: readAdminToken(input),
    /** A path, or `-`; null without an access log. */
    accessLog: accessLog === undefined || accessLog === '-' ? (accessLog ?? null) : input.path(accessLog),
    publicPerMinute: wholeNumber('public-per-minute', values['public-per-minute']!, 1, 1_000_000_000),
    siteUrl: site === undefined ? undefined : orUsageError(() => parseOriginAddress(site, true), '--site: '),
    /** Null if sign-up is closed. */
    signUpLimits: switches.signup ? signUpLimits : null,
    /** Whether to create the store in a Redis that has none. */
    initStore: switches['init-store'] ?? false,
    trustedProxies: orUsageError(() => new TrustedProxies(values['trust-proxy'] ?? '')),
    tree: orUsageError(() => openTreeFrom(input, { onNote: (message) => log.warn(message) })),
    plans: readPlans(input),
    log,
  }
}

/** The token is too long to guess, because the listener has no rate limit. */
const minTokenLength = 24

/** @throws {UsageError} it is too short, or there is no admin listener */
function readAdminToken({ values }: Input): string | null {
  const token = values['admin-token']
  if (token === undefined) return null
  if (values['admin-port'] === undefined) throw new UsageError('--admin-token needs --admin-port')
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < minTokenLength)
    throw new UsageError(`--admin-token must have at least ${minTokenLength} characters and no spaces`)
  return token
}

/** @throws {UsageError} this system cannot share ports */
function readReusePort({ switches }: Input): boolean {
  if (switches['reuse-port'] && !canReusePort)
    throw new UsageError(
      `--reuse-port is not supported on ${process.platform}, where two services cannot share a port`,
    )
  return switches['reuse-port'] ?? false
}

/** Parses the port number given to an option. @throws {UsageError} */
export function portNumber(option: string, value: string): number {
  return wholeNumber(option, value, 0, 65_535)
}

/**
 * The tree that `--data` names, cached in `--data-cache` by default.
 *
 * @throws {UsageError} it does not name a tree
 */
export function openTreeFrom(
  input: Input,
  { isCached = true, onNote }: { isCached?: boolean; onNote?: (message: string) => void } = {},
): Tree {
  const data = input.values.data!
  if (isAddress(data) && !isHttpAddress(data))
    throw new UsageError('--data must be a folder, or an address that begins with https://')
  return openTree(isHttpAddress(data) ? data : input.path(data), {
    token: input.values['data-token'],
    cacheFolder: isCached ? input.path(input.values['data-cache']!) : null,
    followEveryMs: 1_000 * wholeNumber('data-interval', input.values['data-interval']!, 1, 86_400),
    isInsecureAllowed: input.switches['insecure-origin'] ?? false,
    ...(onNote && { onNote }),
  })
}

function createLog(level: string): pino.Logger {
  const hooks = { streamWrite: maskCredentials }
  // Pino would append the messages of all causes, which ours already contain.
  const err = (error: Error) => ({ ...pino.stdSerializers.err(error), message: error.message })
  const options = { level, base: { pid: process.pid }, hooks, serializers: { err } }
  return pino(options, pino.destination({ dest: 2, sync: true }))
}

/**
 * Variables that are not options: the key for `mcp` and the examples, and the data for the tests.
 */
const others = ['CLIP_LOOKUP_KEY', 'CLIP_LOOKUP_TEST_DATA']

/**
 * Returns a line for each environment variable `CLIP_LOOKUP_…` that no command knows, with the name
 * that was probably meant. Otherwise, a misspelled setting would be ignored silently.
 */
export function unknownSettings({ env, commands }: Pick<Input, 'env' | 'commands'>): string[] {
  const known = new Set(commands.flatMap(({ options }) => Object.keys(options).map(environmentName)))
  return Object.keys(env)
    .filter((name) => name.startsWith('CLIP_LOOKUP_') && !others.includes(name) && !known.has(name))
    .map((name) => {
      const suggestion = closestOf(name, [...known])
      return `there is no setting ${name}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`
    })
}
