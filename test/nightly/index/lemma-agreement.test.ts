import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseFile } from '#corpus/import/formats/parse-file.ts'
import { Lexicon } from '#nightly/index/lexicon.ts'
import { matchRuns } from '#nightly/index/match-runs.ts'
import { tokenise } from '#nightly/index/tokenise.ts'
import { describeRealData } from '../../harness/real-data.ts'
import { readIndex } from '../../corpus/import/real-transcripts.ts'

/**
 * Reads the heads of the groups that contain each form, `head/frequency -> form,form`, most
 * frequent first; a form's own group comes first.
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

function* englishCues(data: string) {
  for (const { absolute, language } of readIndex(data)) {
    if (!language.startsWith('en')) continue
    try {
      yield* parseFile(readFileSync(absolute), 'en', new CueTally()).cues
    } catch {
      // Rejected: metadata, or empty.
    }
  }
}

/** Yields the tokens of the transcripts in lower case, with the headwords that index them. */
function* indexedTokens(data: string, words: readonly CatalogueWord[]) {
  const lexicon = new Lexicon('en', words)
  for (const cue of englishCues(data)) {
    const said = tokenise(cue, 'en')
    const under = said.map(() => new Set<string>())
    for (const { word, start, length } of matchRuns(said, lexicon)) {
      for (let i = start; i < start + length; i++) under[i]!.add(word.word.toLowerCase())
    }
    for (const [i, token] of said.entries()) yield { form: token.text.toLowerCase(), under: under[i]! }
  }
}

describeRealData('an independent list of lemmas', (data) => {
  /** The number of tokens whose first lemma in the list is a catalogue word. */
  let tokens = 0
  /**
   * Those of them that are not indexed under it, by form and lemma. A form that is a separate
   * catalogue word ("your") is that word, whatever the list says ("you").
   */
  const missed = new Map<string, number>()
  /** Missed although the catalogue lists the form. */
  const faults: string[] = []

  beforeAll(async () => {
    const lemmas = readLemmas(join(data, 'lemmas/lemma.en.txt'))
    const { catalogue } = await readCatalogue(join(data, 'source-corpus'))
    const words = catalogue.get('en')!
    const spellings = new Map(
      words.map(({ word, forms }) => [
        word.toLowerCase(),
        [word, ...forms].map((each) => each.toLowerCase()),
      ]),
    )
    for (const { form, under } of indexedTokens(data, words)) {
      const heads = lemmas.get(form) ?? []
      for (const head of heads)
        if (!under.has(head) && spellings.get(head)?.includes(form)) faults.push(`${form} → ${head}`)
      const [first] = heads
      if (first === undefined || !spellings.has(first)) continue
      tokens++
      const key = `${form} → ${first}`
      if (!under.has(form) && !under.has(first)) missed.set(key, (missed.get(key) ?? 0) + 1)
    }
    const most = [...missed].toSorted((a, b) => b[1] - a[1]).slice(0, 12)
    console.log(`of ${tokens} tokens are missed: ${most.map((miss) => miss.join(' × ')).join('; ')}`)
  })

  test('finds every token whose form the catalogue lists', () => {
    expect(tokens).toBeGreaterThan(500_000)
    expect(faults).toEqual([])
  })

  test('indexes 99.9 % of the tokens whose lemma is a catalogue word under it, or as a catalogue word of their own', () => {
    const count = [...missed.values()].reduce((sum, each) => sum + each, 0)
    expect(count / tokens).toBeLessThan(0.001)
  })
})
