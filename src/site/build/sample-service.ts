import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { format } from 'node:util'
import type { OperationId } from '#contract/operations.ts'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { TrustedProxies } from '#proxy/http/client-address.ts'
import { startProxy } from '#proxy/start.ts'
import { siteFilesPath } from '#release/site-files.ts'
import { FolderTree, MissingFile } from '#release/tree.ts'
import { shownHeaders } from './shown-headers.ts'
import type { RecordedAnswer } from './site-input.ts'
import { targetOf } from '../target-of.ts'

/** A running proxy that serves a release while its responses are recorded. */
export type SampleService = Awaited<ReturnType<typeof startSampleService>>

/** The account that requests the previews; its plan has no limits. */
export const previewAccount = 'preview'
const previewPlan = { name: previewAccount, perPeriod: null, perMinute: 1_000_000 }

/** Starts a proxy for a tree on the loopback address, with its own store in `folder`. */
export async function startSampleService(treeFolder: string, folder: string) {
  const plans = [...defaultPlans, previewPlan]
  const store = await openStore(`sqlite:${join(folder, 'samples.sqlite')}`, { plans, clock: systemClock })
  const faults: string[] = []
  const log = { info: () => {}, error: (...args: unknown[]) => void faults.push(format(...args)) }
  const proxy = await startProxy({
    tree: new TreeWithoutSite(treeFolder),
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
    const plan = account === previewAccount ? account : 'trial'
    const make = () => createKey({ store, plans }, { account, plan })
    return (await keys.getOrInsertComputed(account, make)).key
  }
  return {
    /**
     * Sends a request for an operation with the account's key, or without a key if `account` is
     * null.
     */
    async ask(
      operation: OperationId,
      parameters: Record<string, string>,
      account: string | null,
      method = 'GET',
    ): Promise<RecordedAnswer> {
      const target = targetOf(operation, parameters)
      const requestHeaders = new Headers(
        account === null ? {} : { authorization: `Bearer ${await keyOf(account)}` },
      )
      const response = await fetch(origin + target, { method, headers: requestHeaders })
      const headers = shownHeaders(response.headers)
      return { operation, parameters, target, status: response.status, headers, body: await response.json() }
    },
    async stop() {
      await proxy.stop()
      if (faults.length > 0) throw new Error(`the service failed while answers were recorded: ${faults[0]}`)
    },
  }
}

/** A tree without its site, which is about to be replaced. */
class TreeWithoutSite extends FolderTree {
  override async read(path: string): Promise<Buffer> {
    if (path === siteFilesPath) throw new MissingFile(path, 'no site')
    return await super.read(path)
  }
}
