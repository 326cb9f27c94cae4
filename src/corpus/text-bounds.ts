import { z } from 'zod'
import { codePointLength } from '#kit/code-points.ts'

/**
 * Limits for the texts of the corpus, far above those in speech and dictionaries. Longer texts are
 * mistakes or attacks, and would cost the build disproportionate time or memory.
 */

/** The maximum length of a text (a title, a meaning, a cue), in characters. */
export const maxTextCharacters = 10_000
/**
 * The maximum length of a headword or form in characters, and the maximum number of its parts,
 * which spaces and hyphens separate.
 */
const maxSpellingCharacters = 100
export const maxSpellingParts = 12

/** UAX #15 section 13: the time to normalise a longer run grows with the square of its length. */
const manyMarks = /\p{M}{31}/u

/** Matches most texts: they are valid, and in NFC. */
const plainText = /^[\t\n -~]*$/

/** Returns the reason why a text cannot be part of the corpus, or null. */
export function textFault(text: string, maxCharacters = maxTextCharacters): string | null {
  if (text.length <= maxCharacters && plainText.test(text)) return null
  if (text.length > maxCharacters) {
    const length = codePointLength(text)
    if (length > maxCharacters)
      return `is ${length} characters long, but at most ${maxCharacters} are allowed`
  }
  if (text.includes('\0')) return 'contains the character U+0000'
  const [lone] = /[\ud800-\udfff]/u.exec(text) ?? []
  if (lone) return `contains the lone surrogate U+${lone.charCodeAt(0).toString(16).toUpperCase()}`
  if (text.length > 30 && manyMarks.test(text)) return 'has more than 30 combining marks in a row'
  return null
}

/** Like `textFault`, for a headword or a form. */
export function spellingFault(text: string): string | null {
  const fault = textFault(text, maxSpellingCharacters)
  if (fault !== null) return fault
  const parts = text.split(/[\s\-‐‑]+/u).length
  return parts > maxSpellingParts ? `has ${parts} parts, but at most ${maxSpellingParts} are allowed` : null
}

/** The schema of a valid string, converted to NFC. One check does both, as each takes time. */
export function soundString(faultOf: (text: string) => string | null = textFault): z.ZodString {
  return z.string({ error: 'must be a string' }).check((payload) => {
    const { value } = payload
    const message = faultOf(value)
    if (message !== null) payload.issues.push({ code: 'custom', message, input: value, continue: false })
    else if (!plainText.test(value)) payload.value = value.normalize('NFC')
  })
}
