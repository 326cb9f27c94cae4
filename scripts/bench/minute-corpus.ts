import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { roundTime } from '#kit/round.ts'
import { clipRecord, makeWords, writeLines } from './make-corpus.ts'
import { makeClips, readSentences, type SaidClip } from './sentence-corpus.ts'

/** The ids of the made-up words, above those of the real catalogues. */
const firstMadeUpId = 1_000_000

/**
 * Writes a source corpus of `count` clips of a minute, and of `wordCount` words. What is said is
 * cut out of the English subtitles below `data`; the words are those of the English catalogue
 * there, then made-up ones that nobody says.
 */
export function writeMinuteCorpus(folder: string, data: string, count: number, wordCount: number): void {
  const real = readFileSync(join(data, 'source-corpus', 'catalogue', 'en.jsonl'), 'utf8')
    .trim()
    .split('\n')
  const entries = real.map((line) => JSON.parse(line) as { word: string; forms: string[] })
  const taken = new Set(entries.flatMap(({ word, forms }) => [word, ...forms]))
  const madeUp = makeWords(2 * wordCount).filter((word) => !taken.has(word))
  const isReal = (i: number) => i < entries.length
  writeLines(join(folder, 'catalogue', 'en.jsonl'), wordCount, (i) =>
    isReal(i)
      ? entries[i]!
      : {
          wordId: firstMadeUpId + i,
          word: madeUp[i - entries.length],
          level: levels[i % 6],
          meanings: { en: `meaning ${i}` },
          forms: [],
        },
  )
  const clips = makeClips(count, readSentences(join(data, 'transcripts')))
  writeLines(join(folder, 'clips', 'all.jsonl'), count, (i) => ({
    ...clipRecord(i),
    title: `A minute of a talk, the ${i}th of them`,
    level: levels[clips[i]!.level],
    durationS: 60,
    cues: cuesOf(clips[i]!),
  }))
}

/** A cue a sentence; a minute is divided evenly between the tokens. */
function cuesOf({ tokens, starts }: SaidClip) {
  const timeAt = (token: number) => roundTime((59 * token) / tokens.length)
  return [0, ...starts].map((from, s) => {
    const to = starts[s] ?? tokens.length
    return { tStart: timeAt(from), tEnd: timeAt(to), text: `${tokens.slice(from, to).join(' ')}.` }
  })
}
