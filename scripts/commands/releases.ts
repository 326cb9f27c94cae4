import { createInterface } from 'node:readline'
import { countText } from '#kit/count-text.ts'
import { diffReleases } from '#tree/changes.ts'
import type { NetChanges } from '#release/changes.ts'
import { listReleases, type ListedRelease } from '#tree/releases.ts'
import { holdTree, recover } from '#tree/hold-tree.ts'
import { importLedger, ledgerRecords } from '#tree/ledger-lines.ts'
import { Refused } from '#tree/refused.ts'
import type { State } from '#tree/state.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { positionals, UsageError, type Input } from '../command-line.ts'
import { table } from '../records.ts'

/** The number of ids of each kind of change to show; `--json` shows all. */
const idsShown = 5

const treeFolder = (input: Input) => input.path(input.values.out!)

async function list(input: Input): Promise<void> {
  const outFolder = treeFolder(input)
  const releases = await listReleases(outFolder)
  if (releases.length === 0)
    throw new Refused(`there is no release in "${outFolder}". Run "build" to create one`)
  const readable = releases.filter(({ fault }) => fault === null)
  input.print(releases, readable.length > 0 ? table(readable.map(asRow)) : 'no releases')
  for (const { release, current, fault } of releases)
    if (fault !== null && !input.switches.json)
      input.say(`${release}${current ? ' (in service)' : ''} cannot be read: ${fault}`)
}

function asRow({ release, builtAt, clips, words, sizeBytes, current }: ListedRelease) {
  return { release, builtAt, clips, words, sizeBytes, current: current ? 'in service' : null }
}

async function diff(input: Input): Promise<void> {
  const [from, to] = positionals(input, 'A', 'B')
  const { changes, headwordOf } = await diffReleases(treeFolder(input), from!, to!)
  input.print(changes, describe(changes, headwordOf))
}

function describe({ from, to, clips, words }: NetChanges, headwordOf: (wordId: number) => string): string {
  const line = (what: string, ids: readonly (string | number)[]) => {
    const first = ids.slice(0, idsShown).map((id) => (typeof id === 'number' ? headwordOf(id) : id))
    const row = `${what.padEnd(16)} ${ids.length}  ${first.join(', ')}`.trimEnd()
    return ids.length > idsShown ? `${row}, …` : row
  }
  const lines = Object.entries({ clips, words }).flatMap(([kind, changes]) =>
    Object.entries<(string | number)[]>({ ...changes }).map(([change, ids]) =>
      line(`${kind} ${change}`, ids),
    ),
  )
  return [`${from} → ${to}`, ...lines].join('\n')
}

async function rollBack(input: Input): Promise<void> {
  const [idOrNumber, extraArgument] = input.positionals
  if (extraArgument !== undefined)
    throw new UsageError(`the command does not take the argument "${extraArgument}"`)
  const { from, to, passedOver } = await rollback(treeFolder(input), idOrNumber)
  for (const { release, fault } of passedOver) input.say(`skipped      ${release}: ${fault}`)
  input.print({ from, to, passedOver }, `in service  ${to} (before: ${from})`)
  input.say(
    'This release stays in service until you run "releases resume", even if newer releases are built.',
  )
}

async function resumeLatest(input: Input): Promise<void> {
  const { from, to } = await resume(treeFolder(input))
  input.print({ from, to }, `in service  ${to} (before: ${from})`)
}

async function exportLedger(input: Input): Promise<void> {
  const outFolder = treeFolder(input)
  await holdTree(outFolder, async (state) => {
    if (state.head.tree === '')
      throw new Refused(`"${outFolder}" has no ledger, because nothing was published there`)
    for (const record of ledgerRecords(state)) input.print(record, JSON.stringify(record))
  })
}

async function replaceLedger(input: Input): Promise<void> {
  const outFolder = treeFolder(input)
  const replace = async (state: State) => {
    const clips = await importLedger(outFolder, state, createInterface({ input: process.stdin }))
    await recover(outFolder, state)
    return { clips, release: state.head.release }
  }
  const { release, clips } = await holdTree(outFolder, replace, 'replace')
  input.print({ release, clips }, `ledger    ${countText(clips, 'clip')}, release ${release}`)
}

export const commands = {
  'releases list': list,
  'releases diff': diff,
  'releases rollback': rollBack,
  'releases resume': resumeLatest,
  'releases export-ledger': exportLedger,
  'releases import-ledger': replaceLedger,
}
