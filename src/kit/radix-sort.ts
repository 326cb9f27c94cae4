/** Below this many, insertion sort is faster. */
const few = 24

const histogram = new Uint32Array(256)
let scratch = new Uint32Array(4096)

/**
 * Sorts the numbers `from … to` of an array in place, ascending: by one byte after another from the
 * lowest, as far as the largest number has bytes. Some hundred numbers are sorted in a tenth of the
 * time that the engine's own sort takes, which is made for long arrays.
 */
export function radixSort(numbers: Uint32Array, from: number, to: number): void {
  if (to - from < few) insertionSort(numbers, from, to)
  else sortMany(numbers.subarray(from, to))
}

function sortMany(numbers: Uint32Array): void {
  const count = numbers.length
  if (scratch.length < count) scratch = new Uint32Array(count)
  let largest = 0
  for (let i = 0; i < count; i++) if (numbers[i]! > largest) largest = numbers[i]!
  let source: Uint32Array = numbers
  let target: Uint32Array = scratch
  for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += 8) {
    sortByByte(source, target, count, shift)
    ;[source, target] = [target, source]
  }
  if (source !== numbers) for (let i = 0; i < count; i++) numbers[i] = source[i]!
}

function sortByByte(source: Uint32Array, target: Uint32Array, count: number, shift: number): void {
  histogram.fill(0)
  for (let i = 0; i < count; i++) histogram[(source[i]! >>> shift) & 255]!++
  let sum = 0
  for (let byte = 0; byte < 256; byte++) {
    const here = histogram[byte]!
    histogram[byte] = sum
    sum += here
  }
  for (let i = 0; i < count; i++) target[histogram[(source[i]! >>> shift) & 255]!++] = source[i]!
}

function insertionSort(numbers: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = numbers[i]!
    let at = i
    for (; at > from && numbers[at - 1]! > value; at--) numbers[at] = numbers[at - 1]!
    numbers[at] = value
  }
}
