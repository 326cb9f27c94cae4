import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { format } from 'node:util'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { TrustedProxies } from '#proxy/http/client-address.ts'
import { startProxy } from '#proxy/start.ts'
import type { Tree } from '#release/tree.ts'
import { shownHeaders } from './shown-headers.ts'

/** The real proxy on a release, running while its answers are recorded. */
export type SampleService = Awaited<ReturnType<typeof startSampleService>>
/** A response as it came over the wire. */
export type SampleAnswer = Awaited<ReturnType<SampleService['get']>>

/** The account of the previews, which no plan limits. */
export const previewAccount = 'preview'
const previewPlan = { name: previewAccount, perPeriod: null, perMinute: 1_000_000 }

/** Starts the proxy on the loopback address, with its own store in the given folder. */
export async function startSampleService(tree: Tree, folder: string) {
  const plans = [...defaultPlans, previewPlan]
  const store = await openStore(`sqlite:${join(folder, 'samples.sqlite')}`, { plans, clock: systemClock })
  const faults: string[] = []
  const log = { info: () => {}, error: (...args: unknown[]) => void faults.push(format(...args)) }
  const proxy = await startProxy({
    tree,
    store,
    trustedProxies: new TrustedProxies(''),
    publicPerMinute: 600,
    limits: { lastRequestMs: 0 },
    log,
  })
  proxy.server.listen(0, '127.0.0.1')
  await once(proxy.server, 'listening')
  const origin = `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`
  const keys = new Map<string, Promise<{ key: string }>>()
  const keyOf = async (account: string) => {
    const plan = account === previewAccount ? previewPlan.name : 'trial'
    const make = () => createKey({ store, plans, clock: systemClock, random: randomBytes }, { account, plan })
    return (await keys.getOrInsertComputed(account, make)).key
  }
  return {
    /**
     * Sends a request with a trial key of the account, or without a key where the account is null.
     */
    async get(target: string, account: string | null, request: { method?: string } = {}) {
      const headers: Record<string, string> =
        account === null ? {} : { authorization: `Bearer ${await keyOf(account)}` }
      const response = await fetch(origin + target, { ...request, headers })
      return {
        status: response.status,
        headers: shownHeaders(response.headers),
        body: (await response.json()) as unknown,
      }
    },
    async stop() {
      await proxy.stop()
      if (faults.length > 0) throw new Error(`the service failed while answers were recorded: ${faults[0]}`)
    },
  }
}
