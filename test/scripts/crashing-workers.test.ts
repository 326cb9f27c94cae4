import { readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { hasAllFaultRounds } from '../harness/fault-rounds.ts'
import { send } from '../harness/http-client.ts'
import { sharedServedFolder, startServe } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey } from '../harness/store.ts'

const plans = [...defaultPlans, amplePlan]
const folder = sharedServedFolder(plans)

/** Starts two workers with an admin listener. */
async function startWithAdmin(store: string) {
  const settings = { CLIP_LOOKUP_ADMIN_PORT: '0' }
  const server = await startServe({ folder: { ...folder, settings }, store, workers: 2 })
  onTestFinished(() => server.kill())
  const admin = server.lines.map((line) => /^admin listener on (\S+)$/.exec(line)?.[1]).find(Boolean)
  return { server, admin: admin! }
}

test('workers that are killed are replaced, and counted', async () => {
  const { server, admin } = await startWithAdmin(folder.freshStore())
  const kills = 2
  for (let i = 0; i < kills; i++) {
    const known = server.workerPids()
    process.kill(known.at(-1)!, 'SIGKILL')
    await server.newWorkers(known, 1)
  }
  expect(server.lines.filter((line) => line.includes('ended by SIGKILL'))).toHaveLength(kills)
  const metrics = await (await fetch(`${admin}/metrics`)).text()
  expect(metrics).toMatch(new RegExp(`^clip_lookup_worker_restarts_total ${kills}$`, 'm'))
})

test('a worker whose settings have become wrong says why and ends with exit code 1', async () => {
  const { server } = await startWithAdmin(folder.freshStore())
  breakPlans()
  const known = server.workerPids()
  process.kill(known[0]!, 'SIGKILL')
  await server.says(/^Cannot read plans from .*: not JSON/)
  await server.says(/worker \d+ ended by exit code 1: replacing it/)
})

/** Makes the plans file unreadable while the running test lasts. */
function breakPlans(): void {
  const text = readFileSync(folder.plansFile, 'utf8')
  onTestFinished(() => writeFileSync(folder.plansFile, text))
  writeFileSync(folder.plansFile, 'no plans')
}

// The delays before it gives up add up to a minute and a half.
test.runIf(hasAllFaultRounds)(
  'workers that crash at every start end the service with 1, after other workers went on answering',
  async () => {
    const store = folder.freshStore()
    const key = await newKey(store, plans)
    const { server } = await startWithAdmin(store)
    breakPlans()
    process.kill(server.workerPids()[0]!, 'SIGKILL')
    await server.says(/^Cannot read plans from .*: not JSON/, 3)
    expect((await send(server.origin, '/v1/clips/cat-sitter', { key })).status).toBe(200)
    expect(await server.ended()).toBe(1)
    expect(server.lines.join('\n')).toContain('workers crash again and again')
  },
)
