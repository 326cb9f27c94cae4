/**
 * A hash table of rows in one array, with linear probing. Slots contain row + 1, or 0 if free. At
 * most half of them are used. `hashes` are by row, negative for a row that is left out.
 */
export function buildSlots(hashes: Float64Array | Uint32Array): Uint32Array<ArrayBuffer> {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, hashes.length * 2))))
  const mask = slots.length - 1
  for (let row = 0; row < hashes.length; row++) {
    const hash = hashes[row]!
    if (hash < 0) continue
    let at = hash & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = row + 1
  }
  return slots
}

/** Returns the row with this hash that `isIt` accepts; −1 if there is none. */
export function findInSlots(slots: Uint32Array, hash: number, isIt: (row: number) => boolean): number {
  const mask = slots.length - 1
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const row = slots[at]! - 1
    if (row < 0 || isIt(row)) return row
  }
}
