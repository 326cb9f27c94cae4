import { countText } from '#kit/count-text.ts'
import { prune, type Pruning } from '#tree/prune.ts'
import { wholeNumber, type Input } from '../command-line.ts'

/** The number of files that no build wrote to name in the output. They stay in any case. */
const unknownShown = 20

async function pruneTree(input: Input): Promise<void> {
  const keep = wholeNumber('keep', input.values.keep!, 1, 1_000_000)
  const dryRun = input.switches['dry-run']!
  const onPlan = (pruning: Pruning) => printPruning(input, pruning, dryRun)
  await prune({ outFolder: input.path(input.values.out!), keep, dryRun, onPlan })
}

function printPruning(input: Input, pruning: Pruning, dryRun: boolean): void {
  const { releases, files, addresses, bytes, unknown } = pruning
  for (const path of unknown.slice(0, unknownShown)) input.say(`kept      ${path}: not created by a build`)
  if (unknown.length > unknownShown) input.say(`kept      … and ${unknown.length - unknownShown} more`)
  const counts = [
    countText(releases.length, 'release'),
    countText(files.length, 'file'),
    countText(bytes, 'byte'),
  ].join(', ')
  input.say(dryRun ? `would delete  ${counts}` : `deleting  ${counts}`)
  if (input.switches.json || addresses.length > 0)
    input.print({ releases, files, addresses, bytes }, addresses.join('\n'))
}

export const commands = { prune: pruneTree }
