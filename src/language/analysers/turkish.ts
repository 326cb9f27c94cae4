import { caseKey } from '../lower-case.ts'
import type { TokenAnalyser, Vocabulary } from './analyser.ts'
import { byToken } from './by-token.ts'
import { readDataLines } from './data-file.ts'
import { Stems, type Reading } from './stems.ts'

/**
 * The Turkish analyser: a token is a form of the word whose stem is the longest that leaves a chain
 * of suffixes. The roots of a lexicon compete with those of the catalogue: birim is a word of its
 * own, not a form of bir.
 */
export function openTurkish(vocabulary: Vocabulary): TokenAnalyser {
  const { headwords } = vocabulary
  const stems = stemsOf(headwords)
  // A word that is written with a circumflex is not a form of one without: kârı is not karı.
  const withCircumflex = stemsOf(headwords.filter(hasCircumflex), hasCircumflex)
  let unmarkedStems: Stems | undefined
  return byToken('tr', (token, { isUnmarked }) => {
    if (vocabulary.has(token)) return []
    const key = turkishKey(token)
    const place = placeWord.exec(key)?.[0]
    if (place !== undefined && vocabulary.has(place)) return [[place]]
    const exact = hasCircumflex(token) ? headwordsOf(key, withCircumflex) : []
    const known = exact.length > 0 ? exact : headwordsOf(key, stems)
    if (known.length > 0 || !isUnmarked) return known.map((headword) => [headword])
    unmarkedStems ??= stemsOf(headwords, () => true, withoutMarks)
    return headwordsOf(withoutMarks(key), unmarkedStems).map((headword) => [headword])
  })
}

/** altında is far more often "under" than "in gold", and üstünde is more often "on". */
const placeWord = /^(?:alt(?=ında)|üst(?=ünde))/

function hasCircumflex(text: string): boolean {
  return /[âîû]/i.test(text.normalize('NFC'))
}

/** Returns lower case without circumflexes, which many leave out: hikâye, hikaye. */
function turkishKey(text: string): string {
  return caseKey(text, 'tr').replace(/[âîû]/g, (letter) => letter.normalize('NFD').charAt(0))
}

/** Returns a text as it is typed on keyboards of other languages: cocuk for çocuk. */
function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')
}

/**
 * Returns the stems of the catalogue, and those of the lexicon that may be mistaken for their
 * forms: a root that does not start with such a stem never competes with one. Of headwords that
 * differ only by a circumflex, the one without it has the stems. `fold` is applied to all letters.
 */
function stemsOf(
  headwords: readonly string[],
  isWanted = (_root: string) => true,
  fold = (text: string) => text,
): Stems {
  const lines = readDataLines('turkish-roots.txt').map((line) => line.split(' ') as [string, string?])
  const wantedLines = lines.filter(([root]) => isWanted(root))
  const lexicon = new Map(wantedLines.map(([root, flags = '']) => [fold(turkishKey(root)), flags]))
  const inOrder = headwords.toSorted((a, b) => Number(hasCircumflex(b)) - Number(hasCircumflex(a)))
  const words = new Map(inOrder.map((headword) => [fold(turkishKey(headword)), headword]))
  const stems = new Stems('tr', fold)
  for (const [word, headword] of words)
    if (/^\p{L}+$/u.test(word)) stems.add(`${word}/${lexicon.get(word) ?? ''}`, headword)
  const competing = [...lexicon].filter(([root]) => !words.has(root) && stems.hasBeginning(root))
  for (const [root, flags] of competing) stems.add(`${root}/${flags}`)
  return stems
}

function headwordsOf(token: string, stems: Stems): string[] {
  // The text after an apostrophe is a suffix of a name: Türkiye'de.
  const [word, suffix] = token.split("'") as [string, string?]
  const all = stems.readingsOf(word)
  if (suffix !== undefined) return headwordsIn(all[0] ?? [])
  const likely = all.map((readings) => readings.filter((reading) => !isUnlikely(reading, readings, all)))
  const [longest, ...shorter] = likely.filter((readings) => readings.length > 0)
  if (!longest) return headwordsIn(all.find((readings) => readings.length > 0) ?? [])
  const outside = longest.find(({ headword }) => headword === undefined)
  if (!outside || headwordsIn(longest).length > 0) return headwordsIn(longest)
  // An unknown root may be a form of a known word.
  const forms = shorter.map((readings) =>
    headwordsIn(readings.filter((reading) => isFormOf(reading, outside))),
  )
  return forms.find((readings) => readings.length > 0) ?? []
}

function headwordsIn(readings: readonly Reading[]): string[] {
  return [...new Set(readings.flatMap(({ headword }) => headword ?? []))]
}

function isVerb({ set }: Reading): boolean {
  return set.startsWith('verb')
}

/** The irregular ending of a causative, alone or with that of another voice. */
const causative = /^[ae]r(?:[tıi]|$)/

/**
 * Whether an unknown root is rather a form of the reading's word: içinde of iç, geçer of geçmek, or
 * a voice of a verb. An irregular voice is a separate verb: çıkarmak.
 */
function isFormOf(reading: Reading, root: Reading): boolean {
  if (isVerb(root)) return isVerb(reading) && !causative.test(root.stem.slice(reading.stem.length))
  if (root.rest !== '') return false
  const { rest } = reading
  return rest.length > 2 || (isVerb(reading) && /^(?:[dt][ıiuü]|[aeıiuü]r|[ae]n)$/.test(rest))
}

const aorist = /^r(?![ks])(?![ıiuü][mz]$)/

/**
 * Whether a reading is used only if there is no other, however short its stem: a verb without
 * suffixes (uç, the tip, is rarely "fly"); of unknown words, the possessives of the first and
 * second person, and verbs in the aorist; of verbs in -lAmAk, including known ones, those whose
 * noun is known (yaralar are wounds); and a noun with the spelling of a past tense (attı).
 */
function isUnlikely(reading: Reading, sameStem: readonly Reading[], all: readonly Reading[][]): boolean {
  const { headword, stem, rest } = reading
  if (!isVerb(reading) && /^[dt][ıiuü]/.test(rest) && sameStem.some(isVerb)) return true
  if (!isVerb(reading)) return headword === undefined ? /^[mn]$/.test(rest) : rest === 'n'
  if (rest === '') return headword === undefined || sameStem.some((other) => !isVerb(other))
  if (!aorist.test(rest)) return false
  const isPlural = all.flat().some((other) => !isVerb(other) && other.stem === stem.replace(/l[ae]$/, ''))
  return headword === undefined || (/l[ae]$/.test(stem) && isPlural)
}
