/**
 * Returns a count with its noun. The noun's plural must end in -s.
 *
 *     countText(1, 'clip')  // '1 clip'
 *     countText(2, 'clip')  // '2 clips'
 */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
