import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { TokenAnalyser } from './analyser.ts'
import { readDataLines } from './data-file.ts'
import { byLemmas } from './generated-forms.ts'

/** What is used of az, a port of pymorphy2 with the dictionary of OpenCorpora. */
interface Az {
  load(path: string, type: 'json' | 'arraybuffer', done: (error: null, data: unknown) => void): void
  Morph: {
    /** The parses of a word, most likely first. */
    (word: string): Parse[]
    init(path: string, done: (error: unknown) => void): void
  }
}

interface Parse {
  /** `stat` has the grammemes of all forms of the word: its part of speech and the like. */
  tag: { POS: string; stat: readonly string[] }
  score: number
  /** The dictionary form, if az knows it; of the same part of speech, if `keepPOS`. */
  normalize(keepPOS?: boolean): { word?: string }
}

const cyrillic = /^[а-яё-]+$/
/** More forms than speech is made of. A full cache is emptied. */
const rememberedTokens = 2 ** 15

/**
 * The Russian analyser: the dictionary form of the most likely parse. Taking every parse would find
 * a little more words, at seven points of precision.
 *
 * @throws the package is not installed
 */
export function openRussian(): TokenAnalyser {
  const parse = openAz()
  const known = new Map<string, string[]>()
  const likely = new Map(
    readDataLines('russian-forms.txt').map((line) => line.split(' ') as [string, string]),
  )
  const lemmasIn = (word: string) => {
    const parses = parse(word)
    const listed = likely.get(word)
    const lemmas = listed === undefined ? lemmasOf(parses, word) : [listed]
    return lemmas.filter((lemma) => !isLastPart(lemma, word)).flatMap(withoutDots)
  }
  return byLemmas('ru', (token) => {
    const word = token.toLowerCase()
    if (!cyrillic.test(word)) return []
    if (known.size === rememberedTokens) known.clear()
    return [known.getOrInsertComputed(word, lemmasIn)]
  })
}

function lemmasOf(parses: readonly Parse[], word: string): (string | undefined)[] {
  const parse = likeliest(parses)
  if (parse === undefined) return []
  const lemma = parse.normalize().word
  const { POS, stat } = parse.tag
  if (POS === 'COMP') return [parse.normalize(true).word, lemma]
  // страшно is страшный, where страшно is no headword.
  if (POS === 'ADVB') return [lemma, parses.find(({ tag }) => tag.POS === 'ADJS')?.normalize().word]
  // лучших is лучший, before хороший; км is км, before километр.
  if (stat.includes('Supr')) return [word.replace(/[аеёиоуыюя]+[йхм]?(?:и|го|му)?$/, 'ий'), lemma]
  if (stat.includes('Abbr')) return [word, lemma]
  if (!stat.includes('Anum')) return [lemma]
  // For an ordinal az gives the cardinal: два for второй. Keeping the part of speech prevents that,
  // except for первый, which becomes один even then.
  return [lemma === 'один' ? 'первый' : parse.normalize(true).word]
}

/** az knows the last part of a word that it does not know: дар of Хиландар. */
function isLastPart(lemma: string | undefined, word: string): boolean {
  return lemma !== undefined && lemma[0] !== word[0] && word.includes(lemma.slice(0, 3), 1)
}

/** A conjunction that is about as likely as the best parse goes before it: чем is "than". */
const likelyConjunction = 0.4

/**
 * The most likely parse by az, with corrections: conjunctions; pronouns that are spelled like a
 * rarer noun or verb (им is a form of он, not of имя; мой is none of мыть); adjectives before nouns
 * made of them (новые); and of parses as likely as each other, verbs before adjectives (открыты).
 */
function likeliest(parses: readonly Parse[]): Parse | undefined {
  const conjunction = parses.find(({ tag, score }) => tag.POS === 'CONJ' && score >= likelyConjunction)
  if (conjunction) return conjunction
  const [best] = parses
  if (!best) return undefined
  const { POS } = best.tag
  const other = (isOther: (tag: Parse['tag']) => boolean) => parses.find(({ tag }) => isOther(tag))
  if (POS === 'NOUN' && /(?:[ое]е|[ая]я)$/.test(best.normalize().word ?? ''))
    return other((tag) => tag.POS === 'ADJF') ?? best
  if (POS === 'NOUN') return other((tag) => tag.POS === 'NPRO') ?? best
  if (POS === 'VERB') return other((tag) => tag.stat.includes('Apro')) ?? best
  if (POS === 'ADJS')
    return parses.find(({ tag, score }) => /^(?:PRTS|VERB)$/.test(tag.POS) && score >= best.score) ?? best
  return best
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
  // it has asked for, so they are handed over only after it has asked for all of them.
  const loads: (() => void)[] = []
  az.load = (path, type, done) => loads.push(() => done(null, readDictionary(path, type)))
  az.Morph.init(join(dirname(require.resolve('az/package.json')), 'dicts'), () => {})
  for (const load of loads) load()
  return (word) => az.Morph(word)
}
