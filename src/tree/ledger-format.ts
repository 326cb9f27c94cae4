import type { StoredFormat } from '#kit/stored-format.ts'

type Fields = Record<string, unknown>

/** The lines of an exported ledger: the head, and an entry for each clip. */
export const ledgerFormat: StoredFormat<{ head(fields: Fields): Fields; entry(fields: Fields): Fields }> = {
  firstVersion: 1,
  migrations: [],
  adviceForOld: 'Build into an empty folder',
}
