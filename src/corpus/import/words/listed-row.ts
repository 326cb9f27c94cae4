/** A word of a list before it is checked. */
export interface ListedWord {
  word: string
  level?: string | undefined
  meanings: Record<string, string>
  forms: string[]
}

/** The words of a row, or the reason why it is unclear. */
export type ListedRow = { line: number } & ({ words: ListedWord[] } | { field?: string; reason: string })
