import type { Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { isHttpAddress } from '#release/origin/open-tree.ts'
import type { Input } from '../command-line.ts'
import { adminProbe, apiProbe, checkModes, checkNode, checkPort } from '../doctor/machine.ts'
import { checkAnalysers, checkClock, checkOrigin, checkStore, checkTree } from '../doctor/service.ts'
import { unknownSettings } from '../unknown-settings.ts'
import { defaultData, openTreeFrom, portNumber, readSettings } from '../serve/settings.ts'
import { readPlans, storeAddress } from './with-store.ts'

/** Returns a message if all is well, else throws what is wrong and what to do about it. */
type Check = () => string | Promise<string>

async function doctor(input: Input): Promise<number> {
  // One after another.
  const findings = await Array.fromAsync(Object.entries(checksFor(input)), findingOf)
  const lines = findings.map(
    ({ check, ok, message }) => `${ok ? 'ok  ' : 'FAIL'}  ${check.padEnd(10)}  ${message}`,
  )
  input.print(findings, lines.join('\n'))
  return findings.every(({ ok }) => ok) ? 0 : 1
}

async function findingOf([check, run]: [string, Check]) {
  try {
    return { check, ok: true, message: await run() }
  } catch (error) {
    return { check, ok: false, message: (error as Error).message }
  }
}

function checksFor(input: Input): Record<string, Check> {
  const data = input.values.data!
  const origin = isHttpAddress(data) ? data.replace(/\/$/, '') : null
  const { url, file } = storeAddress(input)
  const nowMs = systemClock.now()
  const tree = () => openTreeFrom(input)
  const plans = () => readPlans(input)
  return {
    node: () => checkNode(process.versions.node),
    store: () => checkStore(url, file, { plans: plans(), clock: systemClock }),
    tree: () => checkTree(tree(), nowMs),
    origin: () => checkOrigin(openTreeFrom(input, { isCached: false }), origin),
    clock: () => checkClock(tree(), origin && `${origin}/current.json`, nowMs),
    ports: () => checkPorts(input),
    plans: () => checkPlans(plans),
    'file modes': () => (file === null ? 'not checked: the store is in Redis' : checkModes(file)),
    analysers: () => checkAnalysers(tree()),
    settings: () => checkSettings(input),
  }
}

async function checkPorts(input: Input): Promise<string> {
  const { host, port, 'admin-host': adminHost, 'admin-port': adminPort } = input.values
  const found = [await checkPort(host!, portNumber('port', port!), apiProbe)]
  if (adminPort !== undefined)
    found.push(await checkPort(adminHost!, portNumber('admin-port', adminPort), adminProbe))
  return found.join('; ')
}

function checkPlans(read: () => readonly Plan[]): string {
  try {
    return read()
      .map(({ name }) => name)
      .join(', ')
  } catch (error) {
    throw new Error(`${(error as Error).message}; correct the file, or omit --plans`, { cause: error })
  }
}

async function checkSettings(input: Input): Promise<string> {
  const unknown = unknownSettings(input)
  if (unknown.length > 0) throw new Error(unknown.join('; '))
  // The tree and the plans have checks of their own.
  readSettings({ ...input, values: { ...input.values, data: defaultData, plans: undefined } })
  return 'the options are valid, and every CLIP_LOOKUP_ variable is known'
}

export const commands = { doctor }
