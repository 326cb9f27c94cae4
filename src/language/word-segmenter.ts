const segmenters = new Map<string, Intl.Segmenter>()

/**
 * The segmenter for the word boundaries of a language (UAX #29 through Intl.Segmenter). It is
 * cached, because creating one takes as long as splitting a line.
 *
 *     wordSegmenter('en') === wordSegmenter('en') // true
 */
export function wordSegmenter(language: string): Intl.Segmenter {
  return segmenters.getOrInsertComputed(language, () => new Intl.Segmenter(language, { granularity: 'word' }))
}
