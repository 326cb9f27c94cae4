/** `npm run bench:words -- --treebank FILE…`: see `help`. */
import { parseArgs } from 'node:util'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { ClipAnalyser } from '#indexing/clip-analyser.ts'
import { indexClip } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokeniseCues, type Token } from '#indexing/tokenise.ts'
import { caseKey } from '#language/lower-case.ts'
import { matchKey } from '#language/match-key.ts'
import { placeTokens } from '#language/place-tokens.ts'
import { print } from './run.ts'
import { languageOf, readTreebank, type GoldSentence, type GoldWord } from './treebank.ts'

const help = `Usage: npm run bench:words -- --treebank FILE… [--list N]

Measures which words the index finds, against sentences that people annotated (CoNLL-U files of
Universal Dependencies; the first two letters of the file name are the language). The files of one
language are measured together.

catalogue   the 3,000 commonest lemmas of content words (NOUN, VERB, ADJ, ADV) in the files, and all
            lemmas of function words; without listed forms
recall      of the content words whose lemma is in the catalogue, the share that the index finds
            under that lemma, at that place
precision   of the places where the index finds a word, the share at which the word is said; places
            spelled as the headword are left out, because no analyser is needed for them. This
            is the strictest way to count: places of function words and names count, too. The
            second figure leaves those out. The third is a share of all places, at which those
            spelled as the headword are no faults; only it can be compared with an index without
            analyser, where nearly all places are of that kind

A lemma is the headword that a dictionary has: Turkish and Korean verbs in -mek and -다, and German
verbs with the particle that stands apart (fängt … an is anfangen; fangen is no fault).

--list N    prints the N commonest misses and wrong hits, 20 unless given
`

const headwordCount = 3_000
const contentParts = new Set(['NOUN', 'VERB', 'ADJ', 'ADV'])
const functionParts = new Set(['ADP', 'AUX', 'CCONJ', 'DET', 'INTJ', 'NUM', 'PART', 'PRON', 'SCONJ'])

const { values, positionals } = parseArgs({
  options: {
    treebank: { type: 'string', multiple: true, default: [] },
    list: { type: 'string', default: '20' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
})

const files = [...values.treebank, ...positionals]
if (values.help || files.length === 0) print(help)
else for (const [language, paths] of Map.groupBy(files, languageOf)) measure(language, paths)

function measure(language: string, paths: readonly string[]): void {
  const sentences = paths.flatMap((path) => readTreebank(path))
  const words = catalogueOf(sentences, language)
  const { memory, cpuMs, hits } = findWords(sentences, words, language)
  const known = new Set(words.map(({ word }) => matchKey(word, language)))
  const misses = new Map<string, number>()
  const wrong = new Map<string, number>()
  const count = { said: 0, found: 0, places: 0, inflected: 0, right: 0, atContent: 0, rightAtContent: 0 }
  for (const [i, { words: gold }] of sentences.entries()) {
    for (const word of gold.filter(isContent)) {
      const key = matchKey(word.headword, language)
      if (!known.has(key)) continue
      count.said++
      const near = hits[i]!.filter((hit) => overlap(hit, word))
      const keys = [word.headword, ...word.others].map((text) => matchKey(text, language))
      if (near.some((hit) => keys.includes(hit.key))) count.found++
      else add(misses, `${word.form} → ${word.headword}${describe(near.map((hit) => hit.key))}`)
    }
    count.places += hits[i]!.length
    for (const hit of hits[i]!.filter(({ key, text }) => matchKey(text, language) !== key)) {
      const near = gold.filter((word) => overlap(hit, word))
      const keys = near.flatMap(({ headword, others }) => [headword, ...others])
      const isRight = keys.some((text) => matchKey(text, language) === hit.key)
      count.inflected++
      if (isRight) count.right++
      if (near.some(isContent)) count.atContent++
      if (isRight && near.some(isContent)) count.rightAtContent++
      if (!isRight) add(wrong, `${hit.text} → ${hit.key}${describe(keys)}`)
    }
  }
  const tokens = sentences.reduce((sum, { words: { length } }) => sum + length, 0)
  print(
    `${language}  recall ${percent(count.found, count.said)} of ${count.said} content words, ` +
      `precision ${percent(count.right, count.inflected)} of ${count.inflected} inflected ` +
      `(${percent(count.rightAtContent, count.atContent)} at content words, ` +
      `${percent(count.places - count.inflected + count.right, count.places)} of all ${count.places} places); ` +
      `${words.length} headwords, ${tokens} words, ${cpuMs.toFixed(0)} ms of CPU, ${memory.toFixed(0)} MB`,
  )
  printCommonest('misses', misses)
  printCommonest('wrong hits', wrong)
}

/** A place where the index finds a word. */
interface FoundWord {
  key: string
  text: string
  start: number
  end: number
}

/** What the index finds in each sentence, and what that takes, opening the analyser included. */
function findWords(sentences: readonly GoldSentence[], words: readonly CatalogueWord[], language: string) {
  const memoryBefore = process.memoryUsage().rss
  const cpuBefore = process.cpuUsage()
  const lexicon = new Lexicon(language, words)
  const analyser = new ClipAnalyser(language, words)
  const hits = sentences.map(({ text }): FoundWord[] => {
    const cues = tokeniseCues([{ tStart: 0, tEnd: 1, text }], language)
    analyser.analyse(cues, null)
    const { tokens } = cues[0]!
    const places = placesOf(text, tokens, language)
    return [...indexClip(cues, lexicon).hits].flatMap(([{ word }, found]) =>
      found.map(({ start: first, length }) => {
        const [start, end] = [places[first]!.start, places[first + length - 1]!.end]
        return { key: matchKey(word, language), text: text.slice(start, end), start, end }
      }),
    )
  })
  const { user, system } = process.cpuUsage(cpuBefore)
  return { hits, cpuMs: (user + system) / 1000, memory: (process.memoryUsage().rss - memoryBefore) / 2 ** 20 }
}

function placesOf(text: string, tokens: readonly Token[], language: string) {
  const keys = tokens.map((token) => caseKey(token.text, language))
  return placeTokens(text, keys, language).map((place) => place ?? { start: 0, end: 0 })
}

function isContent({ upos }: GoldWord): boolean {
  return contentParts.has(upos)
}

function catalogueOf(sentences: readonly GoldSentence[], language: string): CatalogueWord[] {
  const gold = sentences.flatMap((sentence) => sentence.words)
  const content = new Map<string, number>()
  for (const { headword } of gold.filter(isContent)) if (isWord(headword)) add(content, headword)
  const byKey = new Map<string, string>()
  const commonest = commonestOf(content, headwordCount).map(([lemma]) => lemma)
  const grammar = gold.filter(({ upos }) => functionParts.has(upos)).map(({ headword }) => headword)
  for (const lemma of [...commonest, ...grammar])
    if (isWord(lemma)) byKey.getOrInsert(matchKey(lemma, language), lemma)
  return [...byKey.values()].map((word, wordId) => ({
    wordId,
    language,
    word,
    level: 'A1',
    meanings: {},
    forms: [],
  }))
}

function isWord(lemma: string): boolean {
  return /\p{L}/u.test(lemma) && !/\p{N}/u.test(lemma)
}

function overlap(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function commonestOf(counts: ReadonlyMap<string, number>, count: number): [string, number][] {
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, count)
}

function describe(keys: readonly string[]): string {
  return keys.length === 0 ? '' : ` (${[...new Set(keys)].join(', ')})`
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}

function printCommonest(title: string, counts: ReadonlyMap<string, number>): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  print(`  ${total} ${title}`)
  for (const [text, count] of commonestOf(counts, Number(values.list))) print(`    ${count}  ${text}`)
}
