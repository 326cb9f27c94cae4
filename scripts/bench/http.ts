/**
 * `npm run bench:http`: the CPU time per request of the main operations, including metering, and of
 * metrics and the access log, compared with a bare `node:http` server that sends the same bytes.
 * Then latencies with 1 and 32 connections. Fastify with @fastify/rate-limit and nginx send the
 * same clip where they are installed (`npm install --no-save fastify @fastify/rate-limit`).
 * Argument: a built tree or the address of an origin; by default a new tree of 10,000 clips. With
 * BENCH_STORE, the address of an empty Redis, the counters are there instead of in SQLite.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareCpu, getRequest, quartiles, runLoad, type Row } from './compare-cpu.ts'
import { videoIdOf, wordAt } from './corpus.ts'
import { percentile, runBench, startNginx } from './processes.ts'
import { makeTree, record, startRecorded, startService, type Recording } from './service.ts'

const clipCount = 10_000
const latencyRounds = 9

await runBench(async (folder) => {
  const tree = process.argv[2] ?? makeTree(folder, clipCount).path
  const service = await startService(folder, tree, {}, process.env.BENCH_STORE)
  const clipPath = `/v1/clips/${videoIdOf(0)}`
  const { key } = service
  const paths: Record<string, (i: number) => string> = {
    clip: () => clipPath,
    transcript: () => `${clipPath}/transcript`,
    'feed of 20, cached': () => '/v1/feed?seed=2026-11-20',
    'feed of 20, new seed each time': (i) => `/v1/feed?seed=s${i}`,
    "a word's clips, cached": () => `/v1/words/${wordAt(0)}/clips`,
    "a word's clips, new word each time": (i) => `/v1/words/${wordAt(i % clipCount)}/clips`,
    'search, cached': () => '/v1/words?q=st',
    'search, cycling through 1,000 strings': (i) => `/v1/words?q=${wordAt(i % 1_000).slice(0, 1 + (i % 4))}`,
  }
  /** Compares with a bare server that sends a response with the first of the statuses. */
  const rowOf = async (
    name: string,
    pathAt: (i: number) => string,
    key: string | null,
    statuses: readonly string[] = ['200'],
  ): Promise<Row> => {
    const requestAt = (i: number) => getRequest(pathAt(i), key)
    // Its rate limit lets one request a minute through, so the second response is recorded.
    await record(service, pathAt(0), key)
    const recording = await record(service, pathAt(0), key)
    if (String(recording.status) !== statuses[0])
      throw new Error(`cannot measure "${name}": expected ${statuses[0]}, received ${recording.status}`)
    const base = { name: 'bare', server: await startRecorded('bare.ts', recording), requestAt, statuses }
    return { name, server: service, requestAt, statuses, base }
  }
  const rows = await Array.fromAsync(Object.entries(paths), ([name, pathAt]) => rowOf(name, pathAt, key))
  const refusals = [
    await rowOf('401, no key', () => clipPath, null, ['401']),
    await rowOf('429, rate limit', () => clipPath, service.slowKey, ['429', '200']),
    await rowOf('429, quota', () => clipPath, service.emptyKey, ['429']),
  ]
  const clip = rows[0]!
  const observers = { 'admin-port': 0, 'access-log': join(folder, 'access.log') }
  const server = await startService(folder, tree, observers)
  const observedRequest = getRequest(clipPath, server.key)
  await compareCpu([
    ...rows,
    ...refusals,
    { ...clip, name: 'clip, metrics and access log', server, requestAt: () => observedRequest },
    ...(await otherServers(folder, await record(service, clipPath, key), clip)),
  ])
  for (const connections of [1, 32]) await compareLatencies([clip.base!, clip], connections)
})

/**
 * Measures latencies in rounds of 10,000 requests to one server after another, and prints medians
 * of the rounds with quartiles. A round takes a third of a second. When another process takes the
 * server's core, all connections wait for 3 to 4 ms, and three such waits are the 99th percentile
 * of a round with 32 connections.
 */
async function compareLatencies(rows: readonly Row[], connections: number): Promise<void> {
  const measurements = rows.map((row) => ({ row, medians: [] as number[], percentiles: [] as number[] }))
  for (let round = 0; round < latencyRounds; round++) {
    for (const { row, medians, percentiles } of measurements) {
      const load = { port: row.server.port, connections, count: 10_000 }
      const latenciesMs = await runLoad(load, row.requestAt)
      medians.push(percentile(latenciesMs, 0.5) * 1000)
      percentiles.push(percentile(latenciesMs, 0.99) * 1000)
    }
  }
  for (const { row, medians, percentiles } of measurements) {
    const ratios = percentiles.map((us, round) => us / medians[round]!)
    const figures = `median ${quartiles(medians, 0)} µs, 99th percentile ${quartiles(percentiles, 0)} µs`
    console.log(`${connections} connections, ${row.name}: ${figures}, ratio ${quartiles(ratios, 1)}`)
  }
}

/** Rows of other servers that send the response for a clip, where they are installed. */
async function otherServers(folder: string, clipResponse: Recording, clip: Row): Promise<Row[]> {
  const path = 'clip.json'
  writeFileSync(join(folder, path), Buffer.from(clipResponse.body, 'base64'))
  const nginx = await startNginx(folder)
  const fastify = await startRecorded('fastify.ts', clipResponse).catch((error: Error) => {
    console.log(`Fastify is left out: ${/Cannot find module '.*'/.exec(error.message)?.[0] ?? error.message}`)
    return null
  })
  if (!nginx) console.log('nginx is left out: it is not installed')
  const requestAt = () => getRequest(`/${path}`, null)
  return [
    ...(fastify ? [{ ...clip, name: 'clip, Fastify and @fastify/rate-limit', server: fastify }] : []),
    ...(nginx ? [{ ...clip, name: 'clip, nginx from a file', server: nginx, requestAt }] : []),
  ]
}
