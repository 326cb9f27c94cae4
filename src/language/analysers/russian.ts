import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { cacheByText } from '../cache-by-text.ts'
import { caseKey } from '../lower-case.ts'
import type { TokenAnalyser } from './analyser.ts'
import { readDataRows } from './data-file.ts'
import { byToken } from './by-token.ts'

/** The parts of az that are used: a port of pymorphy2 with the dictionary of OpenCorpora. */
interface Az {
  load(path: string, type: 'json' | 'arraybuffer', callback: (error: null, data: unknown) => void): void
  Morph: {
    /** The parses of a word, most likely first. */
    (word: string): Parse[]
    init(path: string, callback: (error: unknown) => void): void
  }
}

interface Parse {
  /** `stat` contains the grammemes of all forms of the word: its part of speech and the like. */
  tag: { POS: string; stat: readonly string[] }
  score: number
  /** Returns the dictionary form, if az knows it; with `keepPOS`, of the same part of speech. */
  normalize(keepPOS?: boolean): { word?: string }
}

const cyrillic = /^[а-яё-]+$/

/**
 * The Russian analyser: the dictionary form of the most likely parse. Using every parse would find
 * slightly more words, but cost seven points of precision.
 *
 * @throws the package is not installed
 */
export function openRussian(): TokenAnalyser {
  const parse = openAz()
  const likely = new Map(
    readDataRows('russian-forms.txt').map(([form, word = '', beforeNominal = word]) => [
      form,
      { lemmas: word.split('/'), beforeNominal: beforeNominal.split('/') },
    ]),
  )
  const lemmasIn = cacheByText((word) =>
    lemmasOf(parse(word), word)
      .filter((lemma) => !isLastPart(lemma, word))
      .flatMap(withoutDots),
  )
  return byToken('ru', (token, { after }) => {
    const word = caseKey(token, 'ru')
    if (!cyrillic.test(word)) return []
    const likelyLemma = likely.get(word)
    if (likelyLemma) return [isNominal(parse(after)[0]) ? likelyLemma.beforeNominal : likelyLemma.lemmas]
    return [lemmasIn(word)]
  })
}

function isNominal(parse: Parse | undefined): boolean {
  return /^(?:NOUN|ADJF|PRTF|NUMR)$/.test(parse?.tag.POS ?? '')
}

function lemmasOf(parses: readonly Parse[], word: string): (string | undefined)[] {
  const parse = likeliest(parses)
  if (parse === undefined) return []
  const lemma = parse.normalize().word
  const { POS, stat } = parse.tag
  // лучших is лучший, before хороший; больше is больше, before большой; км is км, before километр.
  if (stat.includes('Supr')) return [word.replace(/[аеёиоуыюя]+[йхм]?(?:и|го|му)?$/, 'ий'), lemma]
  if (POS === 'COMP' || stat.includes('Abbr')) return [word, lemma]
  if (!stat.includes('Anum')) return [lemma]
  // For an ordinal, az returns the cardinal: два for второй. Keeping the part of speech prevents
  // that, except for первый, which becomes один even then.
  return [lemma === 'один' ? 'первый' : parse.normalize(true).word]
}

/** az knows only the last part of an unknown word: дар of Хиландар. */
function isLastPart(lemma: string | undefined, word: string): boolean {
  return lemma !== undefined && lemma[0] !== word[0] && word.includes(lemma.slice(0, 3), 1)
}

/**
 * Returns az's most likely parse, with corrections: adjectives come before nouns derived from them
 * (новые) and, among equally likely parses, verbs before adjectives (открыты).
 */
function likeliest(parses: readonly Parse[]): Parse | undefined {
  const best = parses[0]
  if (best?.tag.POS === 'NOUN' && /(?:[ое]е|[ая]я)$/.test(best.normalize().word ?? ''))
    return parses.find(({ tag }) => tag.POS === 'ADJF') ?? best
  if (best?.tag.POS !== 'ADJS') return best
  return parses.find(({ tag, score }) => /^(?:PRTS|VERB)$/.test(tag.POS) && score >= best.score) ?? best
}

/** Catalogues often write ё as е. */
function withoutDots(lemma: string | undefined): string[] {
  if (lemma === undefined) return []
  return lemma.includes('ё') ? [lemma, lemma.replaceAll('ё', 'е')] : [lemma]
}

function readDictionary(path: string, type: 'json' | 'arraybuffer'): unknown {
  const bytes = readFileSync(path)
  return type === 'json' ? JSON.parse(bytes.toString()) : new Uint8Array(bytes).buffer
}

function openAz(): (word: string) => Parse[] {
  const require = createRequire(import.meta.url)
  const az = require('az') as Az
  // az reads its files asynchronously, but a build worker needs them now. az counts the files that
  // it has requested, so they are delivered only after it has requested all of them.
  const loads: (() => void)[] = []
  az.load = (path, type, callback) => loads.push(() => callback(null, readDictionary(path, type)))
  az.Morph.init(join(dirname(require.resolve('az/package.json')), 'dicts'), () => {})
  for (const load of loads) load()
  return (word) => az.Morph(word)
}
