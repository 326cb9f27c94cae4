import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync } from 'node:fs'
import { createServer, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longTest, shareOf } from '../harness/fault-rounds.ts'
import { Clients } from '../harness/clients.ts'
import { sharedServedFolder, type ServeProcess } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const plans = [{ name: 'trial', perPeriod: 20, perMinute: 60 }, amplePlan]
const folder = sharedServedFolder(plans)

/** Channels that nobody reads, each of which can be the standard output of a process. */
const channels: Record<string, () => Promise<number | Socket>> = {
  async pipe() {
    const fifo = join(tempFolder(), 'fifo')
    execFileSync('mkfifo', [fifo])
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(fifo, constants.O_WRONLY)
    onTestFinished(() => [reader, writer].forEach(closeSync))
    return writer
  },
  async 'socket, as under systemd'() {
    const server = createServer({ pauseOnConnect: true })
    const path = join(tempFolder(), 'socket')
    await once(server.listen(path), 'listening')
    const socket = connect(path)
    const [[reader]] = await Promise.all([once(server, 'connection'), once(socket, 'connect')])
    onTestFinished(() => {
      for (const end of [socket, reader as Socket]) end.destroy()
      server.close()
    })
    return socket
  },
}

const channelsToFill = shareOf(Object.entries(channels))

describe.each(channelsToFill)('while nobody reads the access log from a %s,', (_, open) => {
  /** Starts a service and sends requests whose lines are several times larger than the channel. */
  async function fillChannel(): Promise<ServeProcess> {
    const store = folder.freshStore()
    const key = await newKey(store, plans)
    const settings = { CLIP_LOOKUP_ACCESS_LOG: '-' }
    const server = await folder.start({ store, workers: 2, settings, stdout: await open() })
    let sentCount = 0
    const load = new Clients({
      origins: [server.origin],
      count: 16,
      next: () => (sentCount++ < 3000 ? { path: '/v1/clips/cat-sitter', key } : null),
    })
    await load.done
    expect(load.statuses).toEqual([200])
    return server
  }

  test('SIGTERM ends every process', async () => {
    const server = await fillChannel()
    process.kill(server.pid, 'SIGTERM')
    expect(await server.ended()).toBe(0)
  })

  longTest('workers end with their parent', async () => {
    const server = await fillChannel()
    process.kill(server.pid, 'SIGKILL')
    // Resolves when the last process has closed the pipe of stderr.
    expect(await server.ended()).toBeNull()
  })
})
