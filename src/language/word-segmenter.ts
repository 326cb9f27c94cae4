const segmenters = new Map<string, Intl.Segmenter>()

/**
 * The segmenter for the word boundaries of a language (UAX #29 through Intl.Segmenter). It is
 * cached, because creating one takes as long as splitting a line.
 *
 *     wordSegmenter('en') === wordSegmenter('en') // true
 */
export function wordSegmenter(language: string): Intl.Segmenter {
  const known = segmenters.get(language)
  if (known) return known
  const made = new Intl.Segmenter(language, { granularity: 'word' })
  segmenters.set(language, made)
  return made
}
