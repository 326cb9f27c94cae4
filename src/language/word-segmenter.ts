const segmenters = new Map<string, Intl.Segmenter>()

/**
 * What splits text at the word boundaries of a language (UAX #29 through Intl.Segmenter). It is
 * kept: making one takes as long as splitting a line.
 */
export function wordSegmenter(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  const made = new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, made)
  return made
}
