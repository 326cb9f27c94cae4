/** An item of a word's list and what it is sorted by: `bytes[from … to)` is its JSON, which begins `{"clip":"<clipId>"`. */
export interface Item {
  hardness: number
  /** `tieOf` its clipId: tells the order of items that are as hard, nearly always. */
  tie: number
  bytes: Buffer
  from: number
  to: number
}

/** Where the clip id stands in every item. */
export const clipIdAt = '{"clip":"'.length
export const clipIdEnd = clipIdAt + 36

/** The first 48 bits of a clip id, as a number. */
export function tieOf(clipId: string): number {
  return Number.parseInt(clipId.slice(0, 8) + clipId.slice(9, 13), 16)
}

export function clipIdOf({ bytes, from }: Item): string {
  return bytes.toString('latin1', from + clipIdAt, from + clipIdEnd)
}

/** The order of a list: by hardness, then by clip id (contract 1.5). */
export function byEase(a: Item, b: Item): number {
  return a.hardness - b.hardness || a.tie - b.tie || (clipIdOf(a) < clipIdOf(b) ? -1 : 1)
}

/** Two sorted lists as one. */
export function inOneOrder(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one
  const items: Item[] = []
  let i = 0
  for (const item of other) {
    while (i < one.length && byEase(one[i]!, item) < 0) items.push(one[i++]!)
    items.push(item)
  }
  while (i < one.length) items.push(one[i++]!)
  return items
}
