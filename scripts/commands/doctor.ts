import { explainSystemError } from '#kit/explain-system-error.ts'
import { toSentence } from '#kit/to-sentence.ts'
import { isHttpAddress } from '#release/origin/open-tree.ts'
import type { Release } from '#release/release.ts'
import type { Input } from '../command-line.ts'
import * as checks from '../doctor/checks.ts'
import { defaultData, openTreeFrom, portNumber, readSettings, unknownSettings } from '../serve/settings.ts'
import { readPlans, storeAddress } from './with-store.ts'

async function doctor(input: Input): Promise<number> {
  await using resources = new AsyncDisposableStack()
  // The checks run one after another.
  const findings = await Array.fromAsync(
    Object.entries(checksFor(input, resources)),
    async ([check, run]) => {
      try {
        return { check, ok: true, message: toSentence(await run()) }
      } catch (error) {
        return { check, ok: false, message: toSentence(explainSystemError(error as Error)) }
      }
    },
  )
  const lines = findings.map(
    ({ check, ok, message }) => `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(10)}  ${message}`,
  )
  input.print(findings, lines.join('\n'))
  return findings.every(({ ok }) => ok) ? 0 : 1
}

function checksFor(input: Input, resources: AsyncDisposableStack) {
  const data = input.values.data!
  const origin = isHttpAddress(data) ? data.replace(/\/$/, '') : null
  const { url, file } = storeAddress(input)
  const tree = () => openTreeFrom(input)
  let opening: Promise<Release> | undefined
  const openCurrent = () => {
    if (opening === undefined) {
      opening = checks.openCurrent(tree())
      resources.defer(() => opening!.then((release) => release[Symbol.dispose]()).catch(() => {}))
    }
    return opening
  }
  return {
    node: () => checks.checkNode(process.versions.node),
    store: () => checks.checkStore(url, file, readPlans(input)),
    tree: () => checks.checkTree(tree(), openCurrent()),
    limits: () => checks.checkLimits(tree(), openCurrent()),
    origin: () => checks.checkOrigin(openTreeFrom(input, { isCached: false }), origin),
    cache: () => checks.checkCache(input.path(input.values['data-cache']!), origin),
    clock: () => checks.checkClock(tree(), origin),
    ports: () => checkPorts(input),
    plans: () => checks.checkPlans(() => readPlans(input)),
    'file modes': () =>
      file === null ? 'this was not checked, because the store is in Redis' : checks.checkModes(file),
    analysers: () => checks.checkAnalysers(tree()),
    settings: () => checkSettings(input),
  }
}

async function checkPorts(input: Input): Promise<string> {
  const { host, port, 'admin-host': adminHost, 'admin-port': adminPort } = input.values
  const findings = [await checks.checkPort(host!, portNumber('port', port!), '/v1/openapi.json', '"openapi"')]
  if (adminPort !== undefined)
    findings.push(
      await checks.checkPort(adminHost!, portNumber('admin-port', adminPort), '/metrics', 'clip_lookup_'),
    )
  return findings.join(', and ')
}

async function checkSettings(input: Input): Promise<string> {
  const unknown = unknownSettings(input)
  if (unknown.length > 0) throw new Error(unknown.join(' '))
  // The tree and the plans have checks of their own.
  readSettings({ ...input, values: { ...input.values, data: defaultData, plans: undefined } })
  return 'the options are valid, and every CLIP_LOOKUP_ variable is known'
}

export const commands = { doctor }
