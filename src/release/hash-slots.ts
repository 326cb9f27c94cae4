/**
 * A hash table of rows in one array, with linear probing. Slots hold row + 1, or 0 if free. At most
 * half of them are taken.
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

/** The row of this hash that `isIt` accepts; −1 if there is none. */
export function findInSlots(slots: Uint32Array, hash: number, isIt: (row: number) => boolean): number {
  const mask = slots.length - 1
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const row = slots[at]! - 1
    if (row < 0 || isIt(row)) return row
  }
}
