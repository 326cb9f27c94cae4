/** How many bytes are compared. Texts that agree in them count as equal. */
export const comparedBytes = 512

/**
 * Sorts positions in `text` by the text from there up to the next 0 byte, in place. Of equal ones
 * those right behind a 0 byte (or at the start) come first, then the lower position.
 */
export function sortSuffixes(text: Uint8Array, positions: Uint32Array): void {
  const isInside = (position: number) => Number(position > 0 && text[position - 1] !== 0)
  positions.sort((a, b) => compare(text, a, b) || isInside(a) - isInside(b) || a - b)
}

function compare(text: Uint8Array, a: number, b: number): number {
  for (let i = 0; i < comparedBytes; i++) {
    const difference = text[a + i]! - text[b + i]!
    if (difference !== 0 || text[a + i] === 0) return difference
  }
  return 0
}
