import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A word that people found in a sentence, with its place in UTF-16 units. */
export interface GoldWord {
  form: string
  start: number
  end: number
  /** Universal part of speech: NOUN, VERB, … */
  upos: string
  /** Under which headword a dictionary has it. */
  headword: string
  /** What it may be found under as well: the base of a separable verb, 공부 of 공부하다. */
  others: string[]
}

export interface GoldSentence {
  text: string
  words: GoldWord[]
}

/** The language of a treebank file by its name: de for de_gsd-ud-dev.conllu. */
export function languageOf(path: string): string {
  return basename(path).slice(0, 2)
}

/** Reads the sentences of a file in CoNLL-U (universaldependencies.org/format.html). */
export function readTreebank(path: string): GoldSentence[] {
  return readFileSync(path, 'utf8')
    .split('\n\n')
    .filter((block) => block.includes('# text = '))
    .map((block) => parseSentence(block, languageOf(path)))
}

interface Row {
  id: string
  form: string
  lemma: string
  upos: string
  /** The part of speech in the treebank's own terms. */
  xpos: string
  head: string
  relation: string
}

function parseSentence(block: string, language: string): GoldSentence {
  const lines = block.split('\n')
  const text = lines.find((line) => line.startsWith('# text = '))!.slice('# text = '.length)
  const rows = lines.filter((line) => /^\d+(?:-\d+)?\t/.test(line)).map(parseRow)
  const words: GoldWord[] = []
  let end = 0
  /** The token that is written for several words (French "du" for "de le"), while they last. */
  let written: { form: string; start: number; end: number; last: number } | undefined
  for (const row of rows) {
    const isPart = written !== undefined && Number(row.id) <= written.last
    if (!isPart) {
      const start = text.indexOf(row.form, end)
      if (start < 0) throw new Error(`find "${row.form}" in "${text}"`)
      end = start + row.form.length
      written = { form: row.form, start, end, last: Number(row.id.split('-')[1] ?? 0) }
    }
    if (row.id.includes('-')) continue
    const { form, start } = written!
    words.push({ form, start, end, upos: row.upos, ...headwordsOf(row, rows, language) })
  }
  return { text, words }
}

function parseRow(line: string): Row {
  const [id, form, lemma, upos, xpos, , head, relation] = line.split('\t') as [string, ...string[]]
  return { id, form: form!, lemma: lemma!, upos: upos!, xpos: xpos!, head: head!, relation: relation! }
}

/** The headword of a word. Treebanks name stems, where dictionaries have an infinitive. */
function headwordsOf(
  row: Row,
  rows: readonly Row[],
  language: string,
): Pick<GoldWord, 'headword' | 'others'> {
  const lemma = row.lemma === '_' ? row.form : row.lemma
  if (language === 'ko') return koreanHeadwords(row)
  if (language === 'tr' && row.upos === 'VERB' && !/m[ae]k$/.test(lemma))
    return { headword: lemma + (/[aıou][^aeıioöuü]*$/.test(lemma) ? 'mak' : 'mek'), others: [lemma] }
  if (language === 'nl') return { headword: lemma.replaceAll('_', ''), others: [] }
  const particle = rows.find(({ head, relation }) => head === row.id && relation === 'compound:prt')
  // In English and Swedish, whose particles always stand apart, they are words of their own.
  if (language !== 'de' || !particle) return { headword: lemma, others: [] }
  return { headword: particle.lemma + lemma, others: [lemma] }
}

const koreanVerb = /^(?:V|p)/
const koreanDerivation = /^(?:XSV|XSA|xsv|xsm)/
const koreanNoun = /^(?:N|n|XPN|XR|xp|SN|SL)/
const koreanNounSuffix = /^(?:XSN|xsn)/

/**
 * A treebank of Korean names the morphemes of a word (주관+하+고, NNG+XSV+EC). Its headword is the
 * first verb with -다, the nouns with the suffix that makes a verb of them, or the nouns.
 */
function koreanHeadwords({ form, lemma, xpos }: Row): Pick<GoldWord, 'headword' | 'others'> {
  const tags = xpos.split('+')
  const morphemes = lemma.split('+')
  if (tags.length !== morphemes.length) return { headword: form, others: [] }
  if (koreanVerb.test(tags[0]!)) return { headword: `${morphemes[0]}다`, others: [] }
  if (!koreanNoun.test(tags[0]!)) return { headword: morphemes[0]!, others: [] }
  const count = tags.findIndex((tag) => !koreanNoun.test(tag))
  const nouns = count < 0 ? morphemes : morphemes.slice(0, count)
  const noun = nouns.join('')
  const next = count < 0 ? '' : tags[count]!
  if (koreanDerivation.test(next))
    return { headword: `${noun}${morphemes[count]}다`, others: [noun, ...nouns] }
  const others = [...(koreanNounSuffix.test(next) ? [`${noun}${morphemes[count]}`] : []), ...nouns]
  return { headword: noun, others }
}
