/**
 * A hash table of row numbers in one array, open addressing with linear steps: slots hold row + 1, 0 is free. At most half of the slots are taken.
 */
export function buildSlots(
  rows: Iterable<number>,
  count: number,
  hashOf: (row: number) => number,
): Uint32Array<ArrayBuffer> {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, count * 2))))
  const mask = slots.length - 1
  for (const row of rows) {
    let at = hashOf(row) & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = row + 1
  }
  return slots
}

/** The row that is looked at first for this hash; −1 where there is none. */
export function firstInSlots(slots: Uint32Array, hash: number): number {
  return slots[hash & (slots.length - 1)]! - 1
}

/** The row of this hash that `isIt` takes; −1 where there is none. */
export function findInSlots(slots: Uint32Array, hash: number, isIt: (row: number) => boolean): number {
  const mask = slots.length - 1
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const slot = slots[at]!
    if (slot === 0) return -1
    if (isIt(slot - 1)) return slot - 1
  }
}
