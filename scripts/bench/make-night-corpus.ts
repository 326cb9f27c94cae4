import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { roundTime } from '#kit/round.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { clipRecord, makeWords, writeLines } from './make-corpus.ts'

/** As many words as a catalogue of a language has; four times as many are said. */
const catalogueSize = 9_000
const saidWords = 36_000
const cuesAClip = 20
const cueS = 3
const wordsACue = 8
const clipsAFolder = 1_000

/**
 * Writes the catalogue of the corpus of `writeClips`: a meaning in two languages and a form a word.
 */
export function writeCatalogue(folder: string): void {
  const random = seededRandom(1)
  const words = makeWords(saidWords)
  writeLines(join(folder, 'catalogue', 'en.jsonl'), catalogueSize, (i) => {
    const word = words[i]!
    const level = levels[Math.floor(random() * levels.length)]
    const meanings = { en: `what ${word} means`, es: `lo que es ${word}` }
    return { wordId: i + 1, word, level, meanings, forms: [`${word}z`] }
  })
}

/**
 * Writes the clips `from … to` of a seeded corpus: 60 s of speech each, 160 words by Zipf's law in
 * 20 cues, a file each, a thousand files a folder. Every other one has word times, as automatic
 * captions do; the others are lines only.
 */
export function writeClips(folder: string, from: number, to: number): void {
  const words = makeWords(saidWords)
  for (let i = from; i < to; i++) {
    const inside = join(folder, 'clips', String(Math.floor(i / clipsAFolder)).padStart(4, '0'))
    if (i === from || i % clipsAFolder === 0) mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, `${i}.json`), JSON.stringify(clipOf(i, words)))
  }
}

function clipOf(i: number, words: readonly string[]) {
  const random = seededRandom(i + 1)
  const said = () => words[Math.floor(saidWords ** random()) - 1]!
  const cues = Array.from({ length: cuesAClip }, (_, c) => {
    const tStart = c * cueS
    const texts = Array.from({ length: wordsACue }, said)
    const step = (cueS - 0.2) / wordsACue
    const timed = texts.map((text, w) => ({
      text,
      tStart: roundTime(tStart + w * step),
      tEnd: roundTime(tStart + (w + 1) * step),
    }))
    const text = `${texts.join(' ')}.`
    return { tStart, tEnd: roundTime(tStart + cueS - 0.2), text, ...(i % 2 === 0 ? { words: timed } : {}) }
  })
  return {
    ...clipRecord(i),
    title: `A minute about ${said()} and ${said()}`,
    level: levels[Math.floor(random() * levels.length)],
    durationS: cuesAClip * cueS,
    cues,
  }
}
