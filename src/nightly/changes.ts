import type { WordRow } from '#release/tables.ts'
import type { Plan } from './plan.ts'

interface Change<Id> {
  added: Id[]
  changed: Id[]
  withdrawn: Id[]
}

/** `changes.json`: what a release does to the one before (contract 3). Ids in ascending order. */
export interface Changes {
  /** null for the first release of a tree. */
  from: string | null
  to: string
  clips: Change<string>
  words: Change<number>
}

/** A word counts as changed when its catalogue entry or the list of its clips did. */
export function changesBetween(
  before: { release: string; words: readonly WordRow[] } | null,
  after: { release: string; words: readonly WordRow[] },
  plan: Plan,
): Changes {
  const old = new Map(before?.words.map((row) => [row.wordId, JSON.stringify(row)]))
  const now = new Map(after.words.map((row) => [row.wordId, JSON.stringify(row)]))
  const ids = (list: Iterable<number>) => [...list].sort((a, b) => a - b)
  return {
    from: before?.release ?? null,
    to: after.release,
    clips: {
      added: plan.added.toSorted(),
      changed: plan.replaced.toSorted(),
      withdrawn: plan.withdrawn.toSorted(),
    },
    words: {
      added: ids(now.keys().filter((id) => !old.has(id))),
      changed: ids(now.keys().filter((id) => old.has(id) && old.get(id) !== now.get(id))),
      withdrawn: ids(old.keys().filter((id) => !now.has(id))),
    },
  }
}
