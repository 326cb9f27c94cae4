import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerEntry, LedgerHead } from '#tree/ledger.ts'
import { State, type LostLedger } from '#tree/state.ts'

/** The entry of a clip. */
export const ledgerEntry: LedgerEntry = {
  clipId: 'c',
  videoId: 'v',
  language: 'en',
  ordinal: 0,
  revision: 1,
  firstRelease: 1,
  source: 'clips/a.json',
  sourceDigest: 's',
  recordDigest: 'r',
  transcriptDigest: 't',
  traits: {},
  pruned: false,
  withdrawn: false,
}

export interface Ledger extends LedgerHead {
  entries: Map<string, LedgerEntry>
}

/** Returns the ledger of a tree that nobody holds; null if it has none. */
export function readLedger(dist: string): Ledger | null {
  if (!existsSync(join(dist, '.build/state.sqlite'))) return null
  return withState(
    dist,
    (state) => {
      if (state.head.tree === '') return null
      const entries = new Map([...state.entries()].map((entry) => [entry.clipId, entry]))
      return { ...state.head, entries }
    },
    'begin again',
  )
}

/** Changes the state of a tree that nobody holds, and commits it. */
export function withState<T>(dist: string, work: (state: State) => T, lostLedger?: LostLedger): T {
  const state = State.open(dist, lostLedger)
  try {
    const result = work(state)
    state.commit()
    return result
  } finally {
    state.close()
  }
}

/** Deletes the state of a tree. */
export function loseState(dist: string): void {
  rmSync(join(dist, '.build'), { recursive: true, force: true })
}
