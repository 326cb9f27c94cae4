/** Formats seconds as players show them: 75 → 1:15. */
export function minutes(timeS: number): string {
  return `${Math.floor(timeS / 60)}:${String(Math.floor(timeS % 60)).padStart(2, '0')}`
}
