import { readPatterns } from './data-file.ts'
import type { Kind } from './turkish-roots.ts'

const patterns = readPatterns('turkish-suffixes.txt')

/** Matches the last letter of a stem and the chain of suffixes behind it. */
function chain(name: string): RegExp {
  return new RegExp(`^.(?:${patterns(name).replace(/[A-Z]/g, patterns)})$`, 'u')
}

const chains: Record<Kind, RegExp | null> = { noun: chain('noun'), verb: chain('verb'), particle: null }

/** Whether a stem may be followed by nothing, or by this chain of suffixes in vowel harmony. */
export function isSuffixed(stem: string, rest: string, kind: Kind, isInverse: boolean): boolean {
  if (rest === '') return true
  if (!chains[kind]?.test(stem.at(-1)! + rest)) return false
  const last = vowelsOf(stem).at(-1)
  if (last === undefined || isInHarmony(last, rest)) return true
  return isInverse && isInHarmony(frontOf[last] ?? last, rest)
}

const back = 'aıou'
const rounded = 'oöuü'
const high = 'ıiuü'
const frontOf: Record<string, string> = { a: 'e', ı: 'i', o: 'ö', u: 'ü' }

/**
 * Whether each vowel of the suffixes is back or front as the one before, and high vowels are
 * rounded as it is. -yor, -ken, -ki and -bil keep their own vowels.
 */
function isInHarmony(lastOfStem: string, rest: string): boolean {
  let last = lastOfStem
  for (const part of rest.split(/(yor|ken|ki|bil)/)) {
    const isFixed = /^(?:yor|ken|ki|bil)$/.test(part)
    for (const next of vowelsOf(part)) {
      if (!isFixed && back.includes(next) !== back.includes(last)) return false
      if (!isFixed && high.includes(next) && rounded.includes(next) !== rounded.includes(last)) return false
      last = next
    }
  }
  return true
}

function vowelsOf(text: string): string[] {
  return text.match(/[aeıioöuü]/g) ?? []
}
