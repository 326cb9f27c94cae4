import type { Transcript } from '#contract/transcript.ts'

type Cue = Transcript['cues'][number]

/**
 * The place of each word in the text of its line, in UTF-16 units; a word that is not in it has
 * none.
 */
export function wordRanges({ text, words }: Cue): ([start: number, end: number] | null)[] {
  let from = 0
  return words.map((word) => {
    const start = text.indexOf(word.text, from)
    if (start < 0) return null
    from = start + word.text.length
    return [start, from]
  })
}

/** The last item that has begun at a second, or -1. Items are in the order of their starts. */
export function indexAt(items: readonly { tStart: number }[], timeS: number): number {
  return items.findLastIndex(({ tStart }) => tStart <= timeS)
}

/** Seconds as players show them: 75 → 1:15. */
export function minutes(timeS: number): string {
  return `${Math.floor(timeS / 60)}:${String(Math.floor(timeS % 60)).padStart(2, '0')}`
}
