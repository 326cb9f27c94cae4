import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { createKey } from '../harness/command.ts'
import { hasAllFaultRounds } from '../harness/fault-rounds.ts'
import { send } from '../harness/http-client.ts'
import { redisProgram, startRedis, type RedisServer } from '../harness/redis-server.ts'
import { prepareServedFolder, startServe, type ServedFolder } from '../harness/serve-process.ts'

const gold: Plan = { name: 'gold', perPeriod: 100, perMinute: 100 }
let folder: ServedFolder
let server: RedisServer | undefined

beforeAll(async () => {
  folder = await prepareServedFolder([...defaultPlans, gold])
  if (redisProgram && hasAllFaultRounds) server = await startRedis()
})
afterAll(async () => {
  folder.remove()
  await server?.end()
})

const stores = [['SQLite', () => `sqlite:${join(folder.path, 'reload.sqlite')}`, 2] as const]
if (redisProgram && hasAllFaultRounds) stores.push(['Redis', () => `${server!.url}/1`, 1] as never)

describe.each(stores)('SIGHUP, with the store in %s', (_, url, workers) => {
  test('puts the plans of the changed file in force in every worker, and refuses an invalid file with a line in the log', async () => {
    const writePlans = (plans: unknown) => writeFileSync(folder.plansFile, JSON.stringify(plans))
    writePlans([...defaultPlans, gold])
    const store = url()
    const place = ['--store', store, '--plans', folder.plansFile]
    const key = await createKey(folder.path, ['--plan', 'gold', ...place])
    const serving = await startServe({ folder, store, workers })
    const limits = async () => {
      const usage = await Promise.all(
        Array.from({ length: 10 }, () => send(serving.origin, '/v1/usage', { key })),
      )
      return [...new Set(usage.map(({ json }) => (json as { limit: number }).limit))]
    }
    expect(await limits()).toEqual([100])

    writePlans([...defaultPlans, { ...gold, perPeriod: 500 }])
    process.kill(serving.pid, 'SIGHUP')
    await serving.says(/the plans are now trial, starter, growth, gold/, workers)
    expect(await limits()).toEqual([500])

    writePlans([{ name: 'trial' }])
    process.kill(serving.pid, 'SIGHUP')
    await serving.says(/the plans were not changed: cannot read plans from/, workers)
    expect(await limits()).toEqual([500])

    writePlans(defaultPlans)
    process.kill(serving.pid, 'SIGHUP')
    await serving.says(/the plans were not changed: the account \\"ann\\" is on the plan \\"gold\\"/, workers)
    expect(await limits()).toEqual([500])
    await serving.kill()
  })
})
