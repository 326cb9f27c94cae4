/** A text in three parts, the middle one to be highlighted. */
export type Marked = [before: string, marked: string, after: string]

/**
 * Finds a spoken form in its sentence. The form joins its tokens with single spaces, the sentence
 * may have punctuation between them, and the form may only match as a whole word. Null when it is
 * not there.
 */
export function markForm(text: string, form: string): Marked | null {
  const tokens = form.split(' ').map((token) => token.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const run = tokens.join('[^\\p{L}\\p{N}]+')
  const isSpaced = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(form)
  const pattern = isSpaced ? `(?<![\\p{L}\\p{N}])${run}(?![\\p{L}\\p{N}])` : run
  const match = new RegExp(pattern, 'u').exec(text)
  if (!match) return null
  const end = match.index + match[0].length
  return [text.slice(0, match.index), match[0], text.slice(end)]
}

/** Cuts a text at two places counted in code points. */
export function markRange(text: string, start: number, end: number): Marked {
  const characters = [...text]
  return [
    characters.slice(0, start).join(''),
    characters.slice(start, end).join(''),
    characters.slice(end).join(''),
  ]
}
