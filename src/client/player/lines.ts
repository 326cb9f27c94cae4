/** The last item that has begun at a second, or -1. Items are in the order of their starts. */
export function indexAt(items: readonly { tStart: number }[], timeS: number): number {
  return items.findLastIndex(({ tStart }) => tStart <= timeS)
}

/** Seconds as players show them: 75 → 1:15. */
export function minutes(timeS: number): string {
  return `${Math.floor(timeS / 60)}:${String(Math.floor(timeS % 60)).padStart(2, '0')}`
}
