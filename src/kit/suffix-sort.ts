/** How many bytes are compared. Texts that agree in them count as equal. */
export const comparedBytes = 512

/** Below this many, insertion sort is faster. */
const fewSuffixes = 12

/**
 * Sorts positions in `text` by the text from there up to the next 0 byte, in place. Of equal ones
 * those right behind a 0 byte (or at the start) come first, then the lower position.
 *
 * Three-way radix quicksort (Bentley and Sedgewick, "Fast Algorithms for Sorting and Searching
 * Strings", 1997) below a counting sort by the first two bytes. Suffix sorts that are linear in a
 * long text do not pay, because the texts are short.
 */
export function sortSuffixes(text: Uint8Array, positions: Uint32Array): void {
  const key = (position: number) =>
    text[position] === 0 ? 0 : (text[position]! << 8) | (text[position + 1] ?? 0)
  const ends = new Uint32Array(65_536)
  for (const position of positions) ends[key(position)]!++
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
  const source = positions.slice()
  const starts = ends.slice()
  for (let i = source.length - 1; i >= 0; i--) positions[--starts[key(source[i]!)]!] = source[i]!
  for (let i = 0; i < ends.length; i++) {
    if (ends[i]! - starts[i]! < 2) continue
    if ((i & 255) === 0) sortAlike(text, positions, starts[i]!, ends[i]!)
    else sortRange(text, positions, starts[i]!, ends[i]!, 2)
  }
}

/** Sorts `positions[from … to)`, which agree in `depth` bytes. */
function sortRange(text: Uint8Array, positions: Uint32Array, from: number, to: number, depth: number): void {
  while (to - from > 1) {
    if (depth >= comparedBytes) return sortAlike(text, positions, from, to)
    if (to - from <= fewSuffixes) return insertionSort(text, positions, from, to, depth)
    const pivot = text[positions[median(text, positions, from, to, depth)]! + depth]!
    let below = from
    let above = to
    for (let i = from; i < above;) {
      const byte = text[positions[i]! + depth]!
      if (byte < pivot) swap(positions, below++, i++)
      else if (byte > pivot) swap(positions, i, --above)
      else i++
    }
    sortRange(text, positions, from, below, depth)
    sortRange(text, positions, above, to, depth)
    if (pivot === 0) return sortAlike(text, positions, below, above)
    ;[from, to, depth] = [below, above, depth + 1]
  }
}

function median(text: Uint8Array, positions: Uint32Array, from: number, to: number, depth: number): number {
  const middle = (from + to) >> 1
  const last = to - 1
  const a = text[positions[from]! + depth]!
  const b = text[positions[middle]! + depth]!
  const c = text[positions[last]! + depth]!
  if (a < b) return b < c ? middle : a < c ? last : from
  return a < c ? from : b < c ? last : middle
}

function insertionSort(
  text: Uint8Array,
  positions: Uint32Array,
  from: number,
  to: number,
  depth: number,
): void {
  for (let i = from + 1; i < to; i++) {
    const position = positions[i]!
    let at = i
    for (; at > from && comesBefore(text, position, positions[at - 1]!, depth); at--)
      positions[at] = positions[at - 1]!
    positions[at] = position
  }
}

function comesBefore(text: Uint8Array, a: number, b: number, depth: number): boolean {
  for (let i = depth; i < comparedBytes; i++) {
    const difference = text[a + i]! - text[b + i]!
    if (difference !== 0) return difference < 0
    if (text[a + i] === 0) break
  }
  const isStart = (position: number) => position === 0 || text[position - 1] === 0
  return isStart(a) === isStart(b) ? a < b : isStart(a)
}

function sortAlike(text: Uint8Array, positions: Uint32Array, from: number, to: number): void {
  const alike = positions.subarray(from, to).slice().sort()
  const isStart = (position: number) => position === 0 || text[position - 1] === 0
  let at = from
  for (const position of alike) if (isStart(position)) positions[at++] = position
  for (const position of alike) if (!isStart(position)) positions[at++] = position
}

function swap(positions: Uint32Array, a: number, b: number): void {
  const held = positions[a]!
  positions[a] = positions[b]!
  positions[b] = held
}
