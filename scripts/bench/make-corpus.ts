import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { roundTime } from '#kit/round.ts'
import { seededRandom } from '#kit/seeded-random.ts'

const onsets = [...'b c d f g h l m n p r s t v st tr ch sh pl gr é'.split(' '), '']
const vowels = ['a', 'e', 'e', 'i', 'o', 'u', 'ea', 'ou', 'y']
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'ng', 'ck']
const endings = ['', '', '', 'ing', 'er', 'ed', 'ly', 'ation']

/** `count` different pronounceable words, always the same ones. */
export function makeWords(count: number): string[] {
  const random = seededRandom(1)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!
  const words = new Set<string>()
  while (words.size < count) {
    let word = ''
    for (let syllables = 1 + Math.floor(random() * 3); syllables > 0; syllables--)
      word += pick(onsets) + pick(vowels) + pick(codas)
    word += pick(endings)
    if (word.length > 1) words.add(random() < 0.02 ? `${word} ${pick(onsets)}${pick(vowels)}t` : word)
  }
  return [...words]
}

const clipsAFile = 100_000

/**
 * Writes a source corpus of `count` clips and as many catalogue words. The clips are short, six
 * words each. The first word is said in a third of the clips, most of the last in none.
 */
export function makeCorpus(folder: string, count: number): void {
  const words = makeWords(count)
  writeCatalogue(folder, words)
  for (let from = 0; from < count; from += clipsAFile)
    writeLines(join(folder, 'clips', `${from}.jsonl`), from, Math.min(from + clipsAFile, count), (i) =>
      clipOf(i, words, 2, 3),
    )
}

/** As many words as a catalogue of a language has; four times as many are said. */
const nightWords = 9_000
const nightClipsAFolder = 1_000

/**
 * Writes the clips `from … to` of the corpus of `bench:nightly`: 60 s of speech each, 160 words in
 * 20 cues, a file each, a thousand files a folder. Every other clip has word times. The first
 * clips come with the catalogue.
 */
export function writeNightClips(folder: string, from: number, to: number): void {
  const words = makeWords(4 * nightWords)
  if (from === 0) writeCatalogue(folder, words.slice(0, nightWords))
  for (let i = from; i < to; i++) {
    const inside = String(Math.floor(i / nightClipsAFolder)).padStart(4, '0')
    writeLines(join(folder, 'clips', inside, `${i}.json`), i, i + 1, () =>
      clipOf(i, words, 20, 8, i % 2 === 0),
    )
  }
}

/** Writes a catalogue of these words: a meaning in one or two languages and a form each. */
function writeCatalogue(folder: string, words: readonly string[]): void {
  const random = seededRandom(words.length)
  writeLines(join(folder, 'catalogue', 'en.jsonl'), 0, words.length, (i) => ({
    wordId: i + 1,
    word: words[i],
    level: levels[Math.floor(random() * levels.length)],
    meanings: { en: `what ${words[i]} means`, ...(i % 3 === 0 ? { es: `lo que es ${words[i]}` } : {}) },
    forms: [`${words[i]}z`],
  }))
}

/** Writes a file of JSON Lines, and the folders above it. */
function writeLines(path: string, from: number, to: number, lineAt: (i: number) => object): void {
  mkdirSync(dirname(path), { recursive: true })
  const lines = Array.from({ length: to - from }, (_, i) => `${JSON.stringify(lineAt(from + i))}\n`)
  writeFileSync(path, lines.join(''))
}

/** The video of the clip `i`. */
export function videoIdOf(i: number): string {
  return `v${i.toString(36).padStart(10, '0')}`
}

const cueS = 3

/**
 * A seeded clip in a channel of 997, whose words are said by Zipf's law.
 *
 * @param isTimed whether each word has its times, as in automatic captions
 */
function clipOf(i: number, words: readonly string[], cues: number, wordsACue: number, isTimed = false) {
  const random = seededRandom(i + 1)
  const say = () => words[Math.floor(words.length ** random()) - 1]!
  const cueAt = (tStart: number) => {
    const texts = Array.from({ length: wordsACue }, say)
    const step = (cueS - 0.2) / wordsACue
    const timed = texts.map((text, w) => ({
      text,
      tStart: roundTime(tStart + w * step),
      tEnd: roundTime(tStart + (w + 1) * step),
    }))
    const text = `${texts.join(' ')}.`
    return { tStart, tEnd: roundTime(tStart + cueS - 0.2), text, ...(isTimed ? { words: timed } : {}) }
  }
  return {
    videoId: videoIdOf(i),
    title: `A short clip about ${say()} and ${say()}`,
    language: 'en',
    channel: { id: `UC${i % 997}`, name: `Channel ${i % 997}` },
    level: levels[Math.floor(random() * levels.length)],
    durationS: cues * cueS,
    cues: Array.from({ length: cues }, (_, c) => cueAt(c * cueS)),
  }
}
