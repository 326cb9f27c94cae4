import { isInOtherScript } from '../formats/other-language.ts'
import { Rejection } from '../rejection.ts'
import { parseForm } from './headword.ts'
import type { JsonObject } from '../video/metadata.ts'

/** A word of a list before it is checked. */
interface ListedWord {
  word: string
  level?: string | undefined
  meanings: Record<string, string>
  forms: string[]
}

/** The words of a row, or the reason why it is unclear. */
export type ListedRow = { line: number } & ({ words: ListedWord[] } | { field?: string; reason: string })

/** The glosses of JMdict by the codes of their languages. */
const jmdictGlosses: Record<string, string> = { eng: 'en', spa: 'es', por: 'pt', rus: 'ru', tur: 'tr' }

/** An entry of CC-CEDICT: traditional, simplified, [pinyin] and /meanings/. */
const cedictLine = /^(\S+) (\S+) \[{1,2}[^\]]*\]{1,2} \/(.+)\/\s*$/
/** Meanings without an explanation: measure words, and references. */
const cedictReference = /^(?:CL:|see (?:also )?\p{Script=Han}|(?:old |erhua )?variant of )/u

/**
 * Parses a dictionary: CC-CEDICT, JMdict Simplified, a bank of terms of Yomitan or an extract of
 * Wiktionary; null for other text. Dictionaries have no levels.
 *
 * @throws {Rejection} it is other JSON or XML, or a dictionary of another language
 */
export function parseDictionary(text: string, language: string) {
  const rows = rowsOf(text.replace(/^\ufeff/, '').trimEnd(), language)
  if (rows === null) return null
  const headwords = rows.flatMap((row) => ('words' in row ? row.words.map(({ word }) => word) : []))
  if (isInOtherScript(headwords, language))
    throw new Rejection(
      `is not a dictionary of "${language}": hardly any of its words are in the script of that language`,
    )
  return { rows: withoutForeignMeanings(rows), noLevel: ', and a dictionary has no levels' }
}

function rowsOf(text: string, language: string): ListedRow[] | null {
  if (/^\s*<(?:\?xml|!DOCTYPE|[A-Za-z]+>)/.test(text))
    throw new Rejection('is XML, not a word list. For JMdict, use the JSON of jmdict-simplified')
  if (kaikkiLine.test(text)) return kaikkiRows(text, language)
  if (/^\s*(?:\[|\{\s*["}])/.test(text)) return jsonRows(text)
  const first = text.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('#'))
  return first !== undefined && cedictLine.test(first) ? cedictRows(text) : null
}

function cedictRows(text: string): ListedRow[] {
  return text.split(/\r?\n/).flatMap((entry, i): ListedRow[] => {
    const line = i + 1
    if (entry === '' || entry.startsWith('#')) return []
    const [, traditional, simplifiedSpelling, senses] = cedictLine.exec(entry) ?? []
    if (senses === undefined) return [{ line, reason: 'the line is not a CC-CEDICT entry' }]
    const meaning = senses.split('/').filter((sense) => !cedictReference.test(sense))
    const meanings: Record<string, string> = meaning.length > 0 ? { en: meaning.join('; ') } : {}
    return [{ line, words: [{ word: simplifiedSpelling!, meanings, forms: [traditional!] }] }]
  })
}

function jsonRows(text: string): ListedRow[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Rejection(`is not valid JSON: ${(error as Error).message}`)
  }
  const lineOf = lineCounter(text)
  const entries = Array.isArray(value) ? value : (value as JsonObject).words
  const readEntry = Array.isArray(value) ? yomitanWord : jmdictWord
  if (!Array.isArray(entries) || entries.every((entry) => readEntry(entry) === null))
    throw new Rejection(
      'is JSON in an unknown format. Use jmdict-simplified or the term_bank files of Yomitan',
    )
  return entries.map((entry): ListedRow => {
    const word = readEntry(entry)
    const line = lineOf(entry)
    return word ? { line, words: [word] } : { line, reason: 'the line is not an entry of this dictionary' }
  })
}

/** Finds the line of each entry, in order, by its beginning in the text. */
function lineCounter(text: string): (entry: unknown) => number {
  let at = 0
  let line = 1
  return (entry) => {
    const [first] = Array.isArray(entry) ? entry : [(entry as JsonObject | null)?.id]
    const entryStart = text.indexOf(JSON.stringify(first ?? null), at)
    if (entryStart < 0) return line
    line += text.slice(at, entryStart).split('\n').length - 1
    at = entryStart
    return line
  }
}

interface JmdictSpelling {
  text: string
  tags?: string[]
}
interface JmdictEntry {
  kanji: JmdictSpelling[]
  kana: JmdictSpelling[]
  sense: { gloss?: { lang: string; text: string }[]; misc?: string[] }[]
}

/** Spellings that are only for searches, and those that are rare or wrong. */
const unusual = new Set(['sK', 'sk', 'rK', 'rk', 'iK', 'ik', 'oK', 'ok', 'io'])

/** Reads an entry of JMdict: the word in kana if it is usually written so. */
function jmdictWord(entry: Partial<JmdictEntry> | null): ListedWord | null {
  const { kanji, kana, sense } = entry ?? {}
  if (!Array.isArray(kanji) || !Array.isArray(kana) || !Array.isArray(sense)) return null
  const usual = (spellings: JmdictSpelling[]) =>
    spellings.filter(({ tags = [] }) => !tags.some((tag) => unusual.has(tag))).map(({ text }) => text)
  const isInKana = sense[0]?.misc?.includes('uk') === true
  const spellings = isInKana ? [...usual(kana), ...usual(kanji)] : [...usual(kanji), ...usual(kana)]
  const [word = kanji[0]?.text ?? kana[0]?.text, ...forms] = spellings
  if (word === undefined) return null
  const meanings: Record<string, string> = {}
  for (const [lang, texts] of Map.groupBy(sense[0]?.gloss ?? [], (gloss) => gloss.lang)) {
    const gloss = jmdictGlosses[lang]
    if (gloss) meanings[gloss] = texts.map(({ text }) => text).join('; ')
  }
  return { word, meanings, forms }
}

/** The first line of an extract of Wiktionary in JSON Lines, from kaikki.org. */
const kaikkiLine = /^\s*\{(?=.*"senses": ?\[)(?=.*"word": ?").*\}\r?(?:\n|$)/
/** Tags of entries in its tables of forms that are not forms of the word. */
const kaikkiOther = new Set(['table-tags', 'inflection-template', 'class', 'romanization', 'auxiliary'])

interface KaikkiEntry {
  word: string
  lang_code?: string
  senses: { glosses?: string[]; form_of?: unknown }[]
  forms?: { form: string; tags?: string[] }[]
}

/** Reads the words of Wiktionary, each with its first meaning and its forms of one word. */
function kaikkiRows(text: string, language: string): ListedRow[] {
  return text.split(/\r?\n/).flatMap((source, i): ListedRow[] => {
    const line = i + 1
    if (source.trim() === '') return []
    const entry = kaikkiEntry(source)
    if (entry === null) return [{ line, reason: 'the line is not an entry of this dictionary' }]
    const { word, senses, forms: entryForms = [], lang_code: code = language } = entry
    if (code !== language) return [{ line, reason: `"${word}" is a word in "${code}"` }]
    // The entry for "ran" only names its word.
    if (senses.every((sense) => sense.form_of !== undefined)) return []
    const meaning = senses[0]?.glosses?.at(-1)
    const forms = entryForms
      .filter(({ form, tags = [] }) => !/[\s()-]/.test(form) && !tags.some((tag) => kaikkiOther.has(tag)))
      .map(({ form }) => parseForm(form, language))
    return [{ line, words: [{ word, meanings: meaning === undefined ? {} : { en: meaning }, forms }] }]
  })
}

function kaikkiEntry(source: string): KaikkiEntry | null {
  try {
    const entry = JSON.parse(source) as Partial<KaikkiEntry> | null
    return typeof entry?.word === 'string' && Array.isArray(entry.senses) ? (entry as KaikkiEntry) : null
  } catch {
    return null
  }
}

/**
 * Reads a term of Yomitan: the term, the reading, and the meanings as its sixth field, or in old
 * banks as all fields from it on.
 */
function yomitanWord(entry: unknown): ListedWord | null {
  if (!Array.isArray(entry)) return null
  const [word, reading, , , , meanings, ...others] = entry as unknown[]
  const definitions = typeof meanings === 'string' ? [meanings, ...others] : meanings
  if (typeof word !== 'string' || typeof reading !== 'string' || !Array.isArray(definitions)) return null
  const texts = definitions.map(textIn).filter((text) => text !== '')
  return {
    word,
    meanings: texts.length > 0 ? { en: texts.join('; ') } : {},
    forms: reading === '' ? [] : [reading],
  }
}

/** Returns the text of structured content, at any depth. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content.trim()
  if (Array.isArray(content)) return content.map(textIn).filter(Boolean).join(' ')
  const { content: inside, text } = (content ?? {}) as JsonObject
  return textIn(inside ?? text ?? '')
}

/** Drops English meanings in another script: a dictionary may explain words in its own language. */
function withoutForeignMeanings(rows: readonly ListedRow[]): ListedRow[] {
  const meanings = rows.flatMap((row) =>
    'words' in row ? row.words.flatMap((word) => word.meanings.en ?? []) : [],
  )
  if (meanings.length === 0 || !isInOtherScript(meanings, 'en')) return [...rows]
  const withoutEnglish = (word: ListedWord): ListedWord => {
    const meanings = { ...word.meanings }
    delete meanings.en
    return { ...word, meanings }
  }
  return rows.map((row) => ('words' in row ? { ...row, words: row.words.map(withoutEnglish) } : row))
}
