import type { WordTable } from '#release/word-table.ts'
import type { Plan } from './plan.ts'

interface Change<Id> {
  added: Id[]
  changed: Id[]
  withdrawn: Id[]
}

/** `changes.json`: what a release does to the one before (contract 3). Ids in ascending order. */
export interface Changes {
  /** null for the first release of a tree, or where that before cannot be opened: all then counts as added. */
  from: string | null
  to: string
  clips: Change<string>
  words: Change<number>
}

/** What became of the clips that are not as they were. */
export type ClipChanges = Pick<Plan, 'added' | 'replaced' | 'withdrawn'>

/** A word counts as changed when its catalogue entry or the list of its clips did. */
export function changesBetween(
  before: { release: string; words: WordTable } | null,
  after: { release: string; words: WordTable },
  clips: ClipChanges,
): Changes {
  return {
    from: before?.release ?? null,
    to: after.release,
    clips: {
      added: clips.added.toSorted(),
      changed: clips.replaced.toSorted(),
      withdrawn: clips.withdrawn.toSorted(),
    },
    words: wordChanges(before?.words ?? null, after.words),
  }
}

function wordChanges(before: WordTable | null, after: WordTable): Change<number> {
  const change: Change<number> = { added: [], changed: [], withdrawn: [] }
  for (let row = 0; row < after.count; row++) {
    const old = before?.find(after.wordId(row)) ?? -1
    if (old < 0) change.added.push(after.wordId(row))
    else if (!after.isSame(row, before!, old)) change.changed.push(after.wordId(row))
  }
  for (let old = 0; before && old < before.count; old++) {
    if (after.find(before.wordId(old)) < 0) change.withdrawn.push(before.wordId(old))
  }
  for (const ids of Object.values(change) as number[][]) ids.sort((a, b) => a - b)
  return change
}
