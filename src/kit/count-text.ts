/** Returns "1 clip" or "2 clips". Its plural must end in -s. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
