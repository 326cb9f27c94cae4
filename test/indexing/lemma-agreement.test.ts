import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { Account } from '#importing/account.ts'
import { parseFile } from '#importing/parse-file.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { matchRuns } from '#indexing/match-runs.ts'
import { tokenise } from '#indexing/tokenise.ts'

const data = process.env.CLIP_LOOKUP_TEST_DATA

/**
 * By form: its lemma in the list, `lemma/frequency -> form,form`. A form that heads a group is its own lemma, else that of the most frequent
 * group that names it.
 */
function readLemmas(path: string): Map<string, string> {
  const frequencies = new Map<string, number>()
  const groups: [lemma: string, form: string][] = []
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const [head, forms] = line.split(' -> ')
    if (line.startsWith(';') || forms === undefined) continue
    const [lemma, frequency] = head!.toLowerCase().split('/')
    frequencies.set(lemma!, Number(frequency ?? 0))
    for (const form of forms.toLowerCase().split(',')) groups.push([lemma!, form.trim()])
  }
  const lemmas = new Map<string, string>()
  for (const [lemma, form] of groups) {
    const known = lemmas.get(form)
    if (known === undefined || frequencies.get(known)! < frequencies.get(lemma)!) lemmas.set(form, lemma)
  }
  for (const lemma of frequencies.keys()) lemmas.set(lemma, lemma)
  return lemmas
}

function* englishCues(folder: string) {
  const rows = readFileSync(join(folder, 'INDEX.tsv'), 'utf8').trimEnd().split('\n')
  for (const row of rows) {
    const [path, , , language] = row.split('\t')
    if (!language!.startsWith('en')) continue
    try {
      yield* parseFile(readFileSync(join(folder, path!)), 'en', new Account()).cues
    } catch {
      // Refused: metadata, empty.
    }
  }
}

describe.skipIf(!data)(
  `an independent list of lemmas${data ? '' : ' (skipped: CLIP_LOOKUP_TEST_DATA names no test data)'}`,
  () => {
    test('of the tokens whose lemma is a catalogue word, 99 % are indexed under it or are a headword of their own', async () => {
      const lemmas = readLemmas(join(data!, 'lemmas/lemma.en.txt'))
      const { catalogue } = await readCatalogue(join(data!, 'source-corpus'))
      const lexicon = new Lexicon('en', catalogue.get('en')!)
      const headwords = new Set(catalogue.get('en')!.map(({ word }) => word.toLowerCase()))
      const misses = new Map<string, number>()
      let tokens = 0
      let missed = 0
      let ownHeadword = 0
      for (const cue of englishCues(join(data!, 'transcripts'))) {
        const said = tokenise(cue, 'en')
        const under = said.map(() => new Set<string>())
        for (const { word, start, length } of matchRuns(said, lexicon)) {
          for (let i = start; i < start + length; i++) under[i]!.add(word.word.toLowerCase())
        }
        for (const [i, token] of said.entries()) {
          const form = token.text.toLowerCase()
          const lemma = lemmas.get(form)
          if (lemma === undefined || !headwords.has(lemma)) continue
          tokens++
          if (under[i]!.has(lemma)) continue
          if (under[i]!.has(form)) ownHeadword++
          else missed++
          misses.set(`${form} → ${lemma}`, (misses.get(`${form} → ${lemma}`) ?? 0) + 1)
        }
      }
      const worst = [...misses].toSorted((a, b) => b[1] - a[1]).slice(0, 12)
      console.log(
        `${tokens} tokens; ${missed} under neither, ${ownHeadword} a headword of their own; ${worst.join('; ')}`,
      )
      expect(tokens).toBeGreaterThan(500_000)
      expect((tokens - missed) / tokens).toBeGreaterThan(0.99)
      expect((tokens - missed - ownHeadword) / tokens).toBeGreaterThan(0.97)
    })
  },
)
