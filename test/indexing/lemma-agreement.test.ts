import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { CueTally } from '#importing/cue-tally.ts'
import { parseFile } from '#importing/formats/parse-file.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { matchRuns } from '#indexing/match-runs.ts'
import { tokenise } from '#indexing/tokenise.ts'

const data = process.env.CLIP_LOOKUP_TEST_DATA

/**
 * By form: the heads of the groups that it is in, `head/frequency -> form,form`, most frequent
 * first; its own group goes before all.
 */
function readLemmas(path: string): Map<string, string[]> {
  const frequencies = new Map<string, number>()
  const lemmas = new Map<string, Set<string>>()
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const [group, forms] = line.toLowerCase().split(' -> ')
    if (line.startsWith(';') || forms === undefined) continue
    const [head, frequency] = group!.split('/')
    frequencies.set(head!, Number(frequency ?? 0))
    for (const form of [head!, ...forms.split(',').map((each) => each.trim())])
      lemmas.set(form, (lemmas.get(form) ?? new Set()).add(head!))
  }
  const rank = (form: string, head: string) => (head === form ? Infinity : frequencies.get(head)!)
  const ranked = ([form, heads]: [string, Set<string>]) =>
    [form, [...heads].toSorted((a, b) => rank(form, b) - rank(form, a))] as const
  return new Map([...lemmas].map(ranked))
}

function* englishCues(folder: string) {
  const rows = readFileSync(join(folder, 'INDEX.tsv'), 'utf8').trimEnd().split('\n')
  for (const row of rows) {
    const [path, , , language] = row.split('\t')
    if (!language!.startsWith('en')) continue
    try {
      yield* parseFile(readFileSync(join(folder, path!)), 'en', new CueTally()).cues
    } catch {
      // Refused: metadata, empty.
    }
  }
}

/**
 * The tokens of the transcripts, as small letters, each with the headwords that it is indexed
 * under.
 */
function* indexedTokens(folder: string, words: readonly CatalogueWord[]) {
  const lexicon = new Lexicon('en', words)
  for (const cue of englishCues(folder)) {
    const said = tokenise(cue, 'en')
    const under = said.map(() => new Set<string>())
    for (const { word, start, length } of matchRuns(said, lexicon)) {
      for (let i = start; i < start + length; i++) under[i]!.add(word.word.toLowerCase())
    }
    for (const [i, token] of said.entries()) yield { form: token.text.toLowerCase(), under: under[i]! }
  }
}

/**
 * How many tokens there were, and how many of them were not found, by the form and the lemma that
 * it lacks.
 */
class Agreement {
  tokens = 0
  readonly misses = new Map<string, number>()

  count(form: string, missed: readonly string[]): void {
    this.tokens++
    if (missed.length === 0) return
    const key = `${form} → ${missed.join(', ')}`
    this.misses.set(key, (this.misses.get(key) ?? 0) + 1)
  }

  get share(): number {
    const missed = [...this.misses.values()].reduce((sum, count) => sum + count, 0)
    return (this.tokens - missed) / this.tokens
  }

  toString(): string {
    const most = [...this.misses].toSorted((a, b) => b[1] - a[1]).slice(0, 12)
    return `${(this.share * 100).toFixed(3)} % of ${this.tokens}; ${most.map((miss) => miss.join(' × ')).join('; ')}`
  }
}

describe.skipIf(!data)(
  `an independent list of lemmas${data ? '' : ' (skipped: CLIP_LOOKUP_TEST_DATA names no test data)'}`,
  () => {
    /** One lemma a form: the first of the list. */
    const first = new Agreement()
    /** Every lemma that the list gives a form, all of which must be found. */
    const every = new Agreement()
    /**
     * One lemma a form; a form that the catalogue has as a word of its own ("your") is that word,
     * whatever the list says ("you").
     */
    const own = new Agreement()
    /** Missed though the catalogue names the form. */
    const faults: string[] = []

    beforeAll(async () => {
      const lemmas = readLemmas(join(data!, 'lemmas/lemma.en.txt'))
      const { catalogue } = await readCatalogue(join(data!, 'source-corpus'))
      const words = catalogue.get('en')!
      const spellings = new Map(
        words.map(({ word, forms }) => [
          word.toLowerCase(),
          [word, ...forms].map((each) => each.toLowerCase()),
        ]),
      )
      for (const { form, under } of indexedTokens(join(data!, 'transcripts'), words)) {
        const heads = lemmas.get(form) ?? []
        const listed = heads.filter((head) => spellings.has(head))
        const missed = listed.filter((head) => !under.has(head))
        if (listed.length > 0) every.count(form, missed)
        if (spellings.has(heads[0]!)) {
          first.count(
            form,
            missed.filter((head) => head === heads[0]),
          )
          own.count(form, under.has(form) ? [] : missed.filter((head) => head === heads[0]))
        }
        for (const head of missed) if (spellings.get(head)!.includes(form)) faults.push(`${form} → ${head}`)
      }
      console.log(`first lemma: ${first}\nevery lemma: ${every}\nits own word, else the first lemma: ${own}`)
    })

    test('no token is missed whose form the catalogue names', () => {
      expect(first.tokens).toBeGreaterThan(500_000)
      expect(faults).toEqual([])
    })

    test('of the tokens whose lemma is a catalogue word, 99.9 % are indexed under it or are a catalogue word of their own', () => {
      expect(own.share).toBeGreaterThan(0.999)
    })

    test('the list has "your" under "you", the catalogue has not: by its first lemma 98 % are found, by every lemma 92 %', () => {
      expect(first.share).toBeGreaterThan(0.98)
      expect(every.share).toBeGreaterThan(0.92)
    })
  },
)
