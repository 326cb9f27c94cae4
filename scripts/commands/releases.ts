import { diffReleases } from '#tree/diff-releases.ts'
import type { NetChanges } from '#release/changes.ts'
import { listReleases, type ListedRelease } from '#tree/list-releases.ts'
import { rollback } from '#tree/rollback.ts'
import { positionals, UsageError, type Command } from '../command-line.ts'
import { table } from '../table.ts'
import { onTree, treeOptions } from './tree-options.ts'

/** How many ids of a kind of change are shown; `--json` has them all. */
const idsShown = 5

export const list: Command = {
  options: treeOptions,
  async run(input) {
    positionals(input)
    const releases = await onTree(input, listReleases)
    const readable = releases.filter(({ fault }) => fault === null)
    input.print(releases, readable.length > 0 ? table(readable.map(asRow)) : 'no releases')
    for (const { release, current, fault } of releases)
      if (fault !== null && !input.switches.json)
        input.say(`${release}${current ? ', in service,' : ''} cannot be read: ${fault}`)
  },
}

function asRow({ release, builtAt, clips, words, sizeBytes, current }: ListedRelease) {
  return { release, builtAt, clips, words, sizeBytes, current: current ? 'in service' : null }
}

export const diff: Command = {
  positionals: 'A B',
  options: treeOptions,
  async run(input) {
    const [from, to] = positionals(input, 'A', 'B')
    const changes = await onTree(input, (outFolder) => diffReleases(outFolder, from!, to!))
    input.print(changes, describe(changes))
  },
}

function describe({ from, to, clips, words }: NetChanges): string {
  const line = (what: string, ids: readonly (string | number)[]) =>
    `${what.padEnd(16)} ${ids.length}${ids.length > 0 ? `  ${shown(ids)}` : ''}`
  return [
    `${from} → ${to}`,
    ...Object.entries(clips).map(([kind, ids]) => line(`clips ${kind}`, ids as string[])),
    ...Object.entries(words).map(([kind, ids]) => line(`words ${kind}`, ids as number[])),
  ].join('\n')
}

function shown(ids: readonly (string | number)[]): string {
  return ids.slice(0, idsShown).join(' ') + (ids.length > idsShown ? ' …' : '')
}

export const rollBack: Command = {
  positionals: '[ID]',
  details: 'It is the one named, else the newest one before the release in service that can be served.',
  options: treeOptions,
  async run(input) {
    const [named, unexpected] = input.positionals
    if (unexpected !== undefined) throw new UsageError(`unexpected argument "${unexpected}"`)
    const { from, to, passedOver } = await onTree(input, (outFolder) => rollback(outFolder, named))
    for (const { release, fault } of passedOver) input.say(`passed over  ${release}: ${fault}`)
    input.print({ from, to, passedOver }, `in service  ${to} (before: ${from})`)
    input.say('The next build publishes what its source says: stop its timer, or fix the source first.')
  },
}
