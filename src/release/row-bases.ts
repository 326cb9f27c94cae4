/**
 * Where the rows of each language begin in the tables by clip. Languages are ordered by code; each
 * has as many rows as ordinals were ever given.
 */
export interface RowBases {
  codes: string[]
  base: ReadonlyMap<string, number>
  rowCount: number
}

export function rowBases(ordinals: Readonly<Record<string, number>>): RowBases {
  const codes = Object.keys(ordinals).sort()
  const base = new Map<string, number>()
  let rowCount = 0
  for (const code of codes) {
    base.set(code, rowCount)
    rowCount += ordinals[code]!
  }
  return { codes, base, rowCount }
}
