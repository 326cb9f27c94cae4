/**
 * A hash table of row numbers in one array, open addressing with linear steps: slots hold row + 1,
 * 0 is free. At most half of the slots are taken.
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

/** The slot that is looked at first for a hash. */
export function firstSlot(slots: Uint32Array, hash: number): number {
  return hash & (slots.length - 1)
}

/** The slot that is looked at after another. */
export function nextSlot(slots: Uint32Array, slot: number): number {
  return (slot + 1) & (slots.length - 1)
}

/** The row in a slot; −1 where it is free. */
export function rowInSlot(slots: Uint32Array, slot: number): number {
  return slots[slot]! - 1
}

/** The row of this hash that `isIt` takes; −1 where there is none. */
export function findInSlots(slots: Uint32Array, hash: number, isIt: (row: number) => boolean): number {
  for (let slot = firstSlot(slots, hash); ; slot = nextSlot(slots, slot)) {
    const row = rowInSlot(slots, slot)
    if (row < 0 || isIt(row)) return row
  }
}
