import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { buildTree, clip, corpus } from '../nightly/small-corpus.ts'
import { createKey, start } from '../harness/command.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { MemoryReport } from '../harness/memory-report.ts'
import { amplePlan } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { startUpstream } from '../harness/upstream.ts'
import { writeSite } from './site/write-site.ts'

const clients = faultRounds(2_000)
const atATime = 50
const warmUp = 100

/** Makes the proxy close an idle connection within a second, instead of after 15 s. */
const closeSoon = { connection: 'keep-alive', 'keep-alive': 'timeout=3' }

/** Sends a request and returns the client. */
async function sendRequest(port: number, path: string, key: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const head = `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\n\r\n`
  await new Promise<void>((sent) => socket.write(head, () => sent()))
  return socket
}

test(`${clients} clients that disconnect in mid-response leak no socket to the origin or the site, and no memory`, async () => {
  const folder = tempFolder()
  const films = Array.from({ length: clients + warmUp }, (_, i) => clip(`v${i}`, `The cat runs ${i} times.`))
  await writeSourceFolder(join(folder, 'src'), corpus(films))
  await buildTree(join(folder, 'src'), join(folder, 'dist'))
  // Polling for a missing site would open connections.
  await writeSite(folder)
  await writeFile(join(folder, 'plans.json'), JSON.stringify([...defaultPlans, amplePlan]))
  let bodiesBegun = 0
  const origin = await startUpstream((req, res) => {
    void readFile(join(folder, 'dist', req.url!)).then(
      async (bytes) => {
        res.writeHead(200, { ...closeSoon, 'content-length': bytes.length })
        if (!req.url!.startsWith('/data/transcripts/')) return res.end(bytes)
        res.write(bytes.subarray(0, bytes.length >> 1))
        bodiesBegun++
        await setTimeout(20)
        return res.end(bytes.subarray(bytes.length >> 1))
      },
      () => res.writeHead(404, closeSoon).end(),
    )
  })
  // Its responses never end, so only the proxy can close these connections.
  const site = await startUpstream((_, res) => void res.writeHead(200).write('begun'))
  const memory = new MemoryReport(folder)
  const settings = {
    ...memory.settings,
    CLIP_LOOKUP_PLANS: 'plans.json',
    // Polling the pointer keeps a connection open.
    CLIP_LOOKUP_DATA_INTERVAL: '3600',
  }
  const upstreams = ['--data', origin.address, '--site', site.address]
  const server = start(folder, ['serve', '--port', '0', '--workers', '1', ...upstreams], settings)
  const [, port] = await server.says(/^listening on http:.*:(\d+)$/m)
  const key = await createKey(folder, ['--plan', amplePlan.name], settings)

  /** Sends requests, and closes each connection in the middle of the response. */
  const abort = async (from: number, count: number) => {
    for (let first = from; first < from + count; first += atATime) {
      const wanted = bodiesBegun + atATime
      const waiting = Array.from({ length: atATime }, async (_, i) => {
        // Every third client reads the first bytes of its response, and every third those of a
        // page.
        const path = i % 3 === 2 ? '/page' : `/v1/clips/v${first + i}/transcript`
        const socket = await sendRequest(Number(port), path, key)
        if (i % 3 > 0) await once(socket, 'data')
        return socket
      })
      await expect.poll(() => bodiesBegun).toBe(wanted - Math.floor(atATime / 3))
      for (const socket of await Promise.all(waiting)) socket.destroy()
    }
  }
  const descriptors = () => readdirSync(`/proc/${server.child.pid}/fd`).length
  await abort(0, warmUp)
  const before = { descriptors: descriptors(), bytes: await memory.bytesInUse(server) }
  await abort(warmUp, clients)
  await expect.poll(() => site.sockets.size).toBe(0)
  // The remaining connections are idle, so the proxy closes them.
  await expect.poll(() => origin.sockets.size, { timeout: 40_000, interval: 100 }).toBe(0)
  await expect.poll(descriptors).toBeLessThanOrEqual(before.descriptors)
  // The bodies are cached, 2 KB each; a leaked request would hold ten times as much.
  expect((await memory.bytesInUse(server)) - before.bytes).toBeLessThan(4_000_000 + clients * 3_000)
})
