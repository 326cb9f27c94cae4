import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, createCluster, ErrorReply } from 'redis'

/** One connection to a Redis, or to the nodes of a cluster. It does not reconnect. */
export interface RedisClient {
  /**
   * Sends a command at the end of this turn, with all other commands of the turn in one write.
   * `key` determines the node of a cluster.
   */
  send(key: string, args: readonly string[]): Promise<unknown>
  /** Senders to every server that holds keys: one, or each master of a cluster. */
  nodes(): Promise<Sender[]>
  /** Waits for the replies to sent commands, at most `patienceMs`. */
  close(patienceMs: number): Promise<void>
}

/** Sends a command to one server. */
type Sender = (args: readonly string[]) => Promise<unknown>

/**
 * The name of the connections in CLIENT LIST, which shows whether another process uses the store.
 */
const connectionName = 'clip-lookup'

/** The server cannot hold a store; trying again does not help. */
export class Unsuitable extends Error {
  readonly hasAdvice = true
}

const attemptMs = 3000

/** The limit for TCP and TLS, during which node-redis cannot be stopped: less than `attemptMs`. */
const connectTimeout = 2000

/**
 * A new object for each client, because node-redis changes it.
 *
 * node-redis must not queue commands that it cannot send, because such a request would be counted
 * after its refusal. It must not reconnect, because it would stay with a server that has gone
 * silent or become a replica. And it must not wait, because its timeout is one AbortSignal per
 * command, and has no effect once a command is written.
 */
function policy() {
  return {
    name: connectionName,
    disableOfflineQueue: true,
    commandOptions: { timeout: 0 },
    maintNotifications: 'disabled' as const,
    socket: { connectTimeout, reconnectStrategy: false as const },
  }
}

/**
 * Connects to the Redis, Valkey or cluster at an address
 * (https://www.iana.org/assignments/uri-schemes/prov/redis), in one attempt.
 *
 * @param onLost called with the cause when the connection is lost
 * @param check decides whether the connection can be used: throws if not
 * @throws {Unsuitable} the server is too old, or evicts keys when it runs out of memory
 * @throws {Error} the server does not answer, or refuses the connection
 */
export async function connect(
  url: string,
  onLost: (cause: unknown) => void,
  check: (client: RedisClient) => Promise<void>,
): Promise<RedisClient> {
  const single = createClient({ url, ...policy() })
  // The commands throw the same error. Without a listener, it would end the process.
  single.on('error', () => {})
  single.on('terminated', onLost)
  const client: RedisClient = {
    send: (_, args) => single.sendCommand(args),
    nodes: async () => [(args) => single.sendCommand(args)],
    close: (patienceMs) => close(single, patienceMs),
  }
  const isCluster = await patiently(single, async () => {
    await single.connect()
    const info = parseInfo(await single.info())
    checkServer(info)
    if (info.get('cluster_enabled') === '1') return true
    await check(client)
    return false
  })
  if (!isCluster) return client
  single.removeListener('terminated', onLost)
  single.destroy()
  return await connectCluster(url, onLost, check)
}

async function connectCluster(...[url, onLost, check]: Parameters<typeof connect>) {
  const { username, password, protocol } = new URL(url)
  const { socket, ...rest } = policy()
  const cluster = createCluster({
    rootNodes: [{ url, ...policy() }],
    // The other nodes do not inherit from the root nodes.
    defaults: {
      ...rest,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      socket: protocol === 'rediss:' ? { ...socket, tls: true } : socket,
    },
    commandOptions: { timeout: 0 },
    // A node that is down must not prevent the use of the others.
    minimizeConnections: true,
  })
  cluster.on('error', () => {})
  cluster.on('node-error', onLost)
  const client: RedisClient = {
    send: (key, args) => cluster.sendCommand(key, false, [...args]),
    async nodes() {
      const clients = await Promise.all(cluster.masters.map((master) => cluster.nodeClient(master)))
      return clients.map((node) => (args) => node.sendCommand(args))
    },
    close: (patienceMs) => close(cluster, patienceMs),
  }
  await patiently(cluster, async () => {
    await cluster.connect()
    await checkServers(client)
    await check(client)
  })
  return client
}

type Closable = { close(): Promise<unknown>; destroy(): unknown }

/** Connects, and destroys the client if that fails or takes too long. */
async function patiently<T>(client: Closable, work: () => Promise<T>): Promise<T> {
  const tooLate = sleep(attemptMs, undefined, { ref: false }).then(() => {
    throw new Error(`it did not answer within ${attemptMs / 1000} s`)
  })
  try {
    return await Promise.race([work(), tooLate])
  } catch (error) {
    client.destroy()
    throw error
  }
}

async function close(client: Closable, patienceMs: number): Promise<void> {
  const closing = client.close().catch(() => {})
  await Promise.race([closing, sleep(patienceMs, undefined, { ref: false })])
  client.destroy()
}

/**
 * Checks each server, whose settings can change while it runs.
 *
 * @throws {Unsuitable}
 * @throws {Error} a server does not answer, or is not ready
 */
export async function checkServers(client: RedisClient): Promise<void> {
  for (const send of await client.nodes()) checkServer(parseInfo(String(await send(['INFO']))))
}

/** Parses a reply of INFO (https://redis.io/docs/latest/commands/info/). */
function parseInfo(text: string): Map<string, string> {
  const fields = text.matchAll(/^(\w+):(.*?)\r?$/gm)
  return new Map(fields.map(([, name, value]) => [name!, value!]))
}

/** @throws {Unsuitable | Error} the server cannot hold a store, or is not ready */
function checkServer(info: Map<string, string>): void {
  if (info.get('loading') === '1') throw new Error('Redis is loading its data')
  const version = info.get('redis_version') ?? '0'
  if (Number.parseInt(version) < 7) {
    throw new Unsuitable(`it is Redis ${version}. Use Redis 7 or later, or Valkey`)
  }
  const eviction = info.get('maxmemory_policy')
  if (eviction !== 'noeviction' && info.get('maxmemory') !== '0') {
    throw new Unsuitable(`its maxmemory-policy is ${eviction}, which can drop counters. Set it to noeviction`)
  }
}

/** Whether the servers have other connections of this program to the same database. */
export async function hasOthers(client: RedisClient): Promise<boolean> {
  const nodeCalls = (await client.nodes()).map(async (send) => {
    const connectionId = `id=${String(await send(['CLIENT', 'ID']))} `
    const lines = String(await send(['CLIENT', 'LIST'])).split('\n')
    const database = / db=\d+ /.exec(lines.find((line) => line.startsWith(connectionId)) ?? '')?.[0] ?? ''
    const isOurs = (line: string) => line.includes(` name=${connectionName} `) && line.includes(database)
    return lines.some((line) => isOurs(line) && !line.startsWith(connectionId))
  })
  return (await Promise.all(nodeCalls)).includes(true)
}

/** Returns the message of an error, without the password. */
export function faultMessage(error: unknown, url: string): string {
  const { message, code } = error as NodeJS.ErrnoException
  // For a name with several addresses, it is an AggregateError without a message.
  const text = message || code || 'Redis reported an unknown error'
  const password = decodeURIComponent(new URL(url).password)
  return password ? text.replaceAll(password, '…') : text
}

/**
 * Whether the error is a reply of Redis that starts with `code`. After any other error, the command
 * may have taken effect.
 */
export function isReply(error: unknown, code = ''): boolean {
  return error instanceof ErrorReply && error.message.startsWith(code)
}
