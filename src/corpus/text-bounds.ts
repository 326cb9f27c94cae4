import { z } from 'zod'
import { codePointLength } from '#kit/code-points.ts'

/**
 * Bounds of the texts of the corpus. Speech and dictionaries stay far below them. Longer texts are
 * mistakes or attacks, and would cost the build disproportionate time or memory.
 */

/** The most characters of a text: a title, a meaning, a cue. */
export const maxTextCharacters = 10_000
/** The most characters of a headword or form, and the most parts between spaces and hyphens. */
const maxSpellingCharacters = 100
export const maxSpellingParts = 12

/**
 * UAX #15 section 13 (stream-safe text): the time to normalise a longer run grows with the square
 * of its length.
 */
const manyMarks = /\p{M}{31}/u

/** Most texts are like this: sound, and in NFC. */
const plainText = /^[\t\n -~]*$/

/** Why a text cannot be part of the corpus, or null. */
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

/** As `textFault`, for a headword or a form. */
export function spellingFault(text: string): string | null {
  const fault = textFault(text, maxSpellingCharacters)
  if (fault !== null) return fault
  const parts = text.split(/[\s\-‐‑]+/u).length
  return parts > maxSpellingParts ? `has ${parts} parts, but at most ${maxSpellingParts} are allowed` : null
}

/** A string without fault, in NFC. One check does both, because zod takes time for each. */
export function soundString(faultOf: (text: string) => string | null = textFault): z.ZodString {
  return z.string({ error: 'must be a string' }).check((payload) => {
    const { value } = payload
    const message = faultOf(value)
    if (message !== null) payload.issues.push({ code: 'custom', message, input: value, continue: false })
    else if (!plainText.test(value)) payload.value = value.normalize('NFC')
  })
}
