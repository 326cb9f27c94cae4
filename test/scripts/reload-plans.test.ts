import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { createKey } from '../harness/command.ts'
import { hasAllFaultRounds } from '../harness/fault-rounds.ts'
import { send } from '../harness/http-client.ts'
import { ownRedis, redisProgram } from '../harness/redis-server.ts'
import { sharedServedFolder } from '../harness/serve-process.ts'

const gold: Plan = { name: 'gold', perPeriod: 100, perMinute: 100 }
const folder = sharedServedFolder([...defaultPlans, gold])

const stores = [['SQLite', async () => folder.freshStore(), 2] as const]
if (redisProgram && hasAllFaultRounds) stores.push(['Redis', async () => (await ownRedis()).url, 1] as never)

test.each(stores)(
  'SIGHUP, with the store in %s, puts the plans of the changed file in force in every worker, and refuses an invalid file with a line in the log',
  async (_, openStore, workers) => {
    const writePlans = (plans: unknown) => writeFileSync(folder.plansFile, JSON.stringify(plans))
    writePlans([...defaultPlans, gold])
    const store = await openStore()
    const place = ['--store', store, '--plans', folder.plansFile]
    const key = await createKey(folder.path, ['--plan', 'gold', ...place])
    const serving = await folder.serve({ store, workers })
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
  },
)
