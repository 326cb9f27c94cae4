const mostEdits = 2
/** The minimum length of a prefix that suggests the whole word: `lan` → `language`. */
const shortestPrefix = 3

/**
 * Returns the candidate that a person most likely meant by a name, ignoring case; undefined if none
 * is close. A prefix, in either direction, is as close as one edit.
 *
 *     closestOf('biuld', ['build', 'serve']) // 'build'
 *     closestOf('lang', ['limit', 'language']) // 'language'
 *     closestOf('xyz', ['build', 'serve']) // undefined
 */
export function closestOf(name: string, candidates: readonly string[]): string | undefined {
  const lowerCaseName = name.toLowerCase()
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = distanceOf(lowerCaseName, candidate.toLowerCase())
    // At most half of the shorter name may change: one edit turns a name of one letter into any
    // other.
    const maxDistance = Math.min(mostEdits, name.length / 2, candidate.length / 2)
    if (distance <= maxDistance && distance < (best?.distance ?? Infinity)) best = { candidate, distance }
  }
  return best?.candidate
}

function distanceOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short === long) return 0
  if (short.length >= shortestPrefix && long.startsWith(short)) return 1
  // The difference in length alone exceeds the limit for suggestions.
  return long.length - short.length > mostEdits ? Infinity : editDistance(short, long)
}

/** Returns the Levenshtein distance; Infinity if it exceeds the limit for suggestions. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replacement = row[j - 1]! + Number(a[i - 1] !== b[j - 1])
      next.push(Math.min(replacement, row[j]! + 1, next[j - 1]! + 1))
    }
    if (Math.min(...next) > mostEdits) return Infinity
    row = next
  }
  return row[b.length]!
}
