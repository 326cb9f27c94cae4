import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { levels } from '#contract/levels.ts'
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

/**
 * Writes a source corpus of `count` clips and as many catalogue words. The clips are short, six
 * words each, and words are said by Zipf's law: the first in a third of the clips, most of the last
 * in none.
 */
export function makeCorpus(folder: string, count: number): void {
  const random = seededRandom(count)
  const words = makeWords(count)
  writeLines(join(folder, 'catalogue', 'en.jsonl'), count, (i) => ({
    wordId: i + 1,
    word: words[i],
    level: levels[Math.floor(random() * 6)],
    meanings: { en: `meaning ${i}`, ...(i % 3 === 0 ? { es: `significado ${i}` } : {}) },
    forms: [`${words[i]}z`],
  }))
  const said = () => words[Math.floor(count ** random()) - 1]!
  writeLines(join(folder, 'clips', 'all.jsonl'), count, (i) => {
    const cue = (tStart: number) => ({ tStart, tEnd: tStart + 2.5, text: `${said()} ${said()} ${said()}.` })
    return {
      ...clipRecord(i),
      title: `A short clip about ${said()} and ${said()}`,
      level: levels[Math.floor(random() * 6)],
      durationS: 6,
      cues: [cue(0.25), cue(3.25)],
    }
  })
}

/** What the clips of all corpora have in common: ids, a language and a channel of 997. */
export function clipRecord(i: number) {
  return {
    videoId: `v${i.toString(36).padStart(10, '0')}`,
    title: `Clip ${i}`,
    language: 'en',
    channel: { id: `UC${i % 997}`, name: `Channel ${i % 997}` },
  }
}

/** Writes a file of JSON Lines, and the folders above it. */
export function writeLines(path: string, count: number, lineAt: (i: number) => object): void {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w')
  let piece = ''
  for (let i = 0; i < count; i++) {
    piece += `${JSON.stringify(lineAt(i))}\n`
    if (piece.length > 1 << 20 || i === count - 1) {
      writeSync(file, piece)
      piece = ''
    }
  }
  closeSync(file)
}
