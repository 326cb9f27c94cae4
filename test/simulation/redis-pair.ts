import { createClient } from 'redis'
import { startRedis, type RedisServer } from '../harness/redis-server.ts'
import { startRelay, type Relay } from '../harness/relay.ts'

/** A Redis with a replica, behind an address that leads to the one that is in service. */
export class RedisPair implements AsyncDisposable {
  readonly url: string
  readonly #relay: Relay
  #master: RedisServer
  #replica: RedisServer

  private constructor(master: RedisServer, replica: RedisServer, relay: Relay) {
    this.#master = master
    this.#replica = replica
    this.#relay = relay
    this.url = `redis://127.0.0.1:${relay.port}`
  }

  static async start(): Promise<RedisPair> {
    const settings = ['--repl-diskless-sync-delay', '0', '--repl-diskless-load', 'swapdb']
    const [master, replica] = [await startRedis(settings), await startRedis(settings)]
    const pair = new RedisPair(master, replica, await startRelay(master.port))
    await pair.#replicate()
    return pair
  }

  async empty(): Promise<void> {
    await send(this.#master, 'FLUSHALL')
  }

  /** Cuts all connections; new ones succeed. */
  cutConnections(): void {
    this.#relay.become('closed')
    this.#relay.become('open')
  }

  /**
   * Kills the master when its replica has all writes, and makes the replica the master. The killed
   * one starts again as the replica.
   */
  async failOver(): Promise<void> {
    await this.#synchronise()
    await this.#master.kill()
    await send(this.#replica, 'REPLICAOF NO ONE')
    ;[this.#master, this.#replica] = [this.#replica, this.#master]
    this.#relay.leadTo(this.#master.port)
    this.cutConnections()
    await this.#replica.start()
    await this.#replicate()
  }

  /** Waits until the replica has all writes. */
  async #synchronise(): Promise<void> {
    // WAIT covers the writes up to the last one on its own connection.
    const replicas = await send(this.#master, 'SET simulation synchronised', 'WAIT 1 10000')
    if (replicas !== 1) throw new Error('the replica does not follow')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#relay.close()
    await this.#master.end()
    await this.#replica.end()
  }

  async #replicate(): Promise<void> {
    await send(this.#replica, `REPLICAOF 127.0.0.1 ${this.#master.port}`)
    await this.#synchronise()
  }
}

/** Sends commands on one connection, and returns the last reply. */
async function send(server: RedisServer, ...commands: string[]): Promise<unknown> {
  const client = await createClient({ url: server.url }).connect()
  try {
    let reply: unknown
    for (const command of commands) reply = await client.sendCommand(command.split(' '))
    return reply
  } finally {
    client.destroy()
  }
}
