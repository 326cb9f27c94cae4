import { readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { send } from '../harness/http-client.ts'
import { sharedServedFolder } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey } from '../harness/store.ts'

const plans = [...defaultPlans, amplePlan]
const folder = sharedServedFolder(plans)

test('a worker whose settings have become invalid says why and exits with 1', async () => {
  const server = await folder.serve({ workers: 2 })
  breakPlans()
  process.kill(server.workerPids()[0]!, 'SIGKILL')
  await server.says(/^Cannot read plans from .*: it is not valid JSON/)
  await server.says(/worker \d+ ended \(exit code 1\): replacing it/)
})

/** Makes the plans file unreadable during the running test. */
function breakPlans(): void {
  const text = readFileSync(folder.plansFile, 'utf8')
  onTestFinished(() => writeFileSync(folder.plansFile, text))
  writeFileSync(folder.plansFile, 'no plans')
}

// The delays before it gives up add up to a minute and a half.
longTest('workers that crash at every start end the service with 1, after others answered', async () => {
  const store = folder.freshStore()
  const key = await newKey(store, plans)
  const server = await folder.serve({ store, workers: 2 })
  breakPlans()
  process.kill(server.workerPids()[0]!, 'SIGKILL')
  await server.says(/^Cannot read plans from .*: it is not valid JSON/, 3)
  expect((await send(server.origin, '/v1/clips/cat-sitter', { key })).status).toBe(200)
  expect(await server.ended()).toBe(1)
  expect(server.lines.join('\n')).toContain('workers keep crashing')
})
