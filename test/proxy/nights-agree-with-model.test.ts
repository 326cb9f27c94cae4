import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Changes } from '#contract/changes.ts'
import { someLevel } from '../model/chances.ts'
import { sentencesQueries } from '../model/generate.ts'
import { modelOf, type Model } from '../model/model.ts'
import { queryTokens, type SentencesQuery } from '../model/sentences.ts'
import { ignoringCase } from '../model/spelling.ts'
import type { CatalogueWord, SourceClip, SourceCorpus } from '../model/source.ts'
import { VOCABULARIES } from '../model/vocabulary.ts'
import {
  buildNight,
  expectNotFound,
  expectSame,
  holdsForCorpora,
  queryText,
  type Served,
} from './agreement/served.ts'

const allRuns = 15

test('the index follows any nights, what is published of a clip stays until it is replaced, and the changes since each release are complete', async () => {
  await holdsForCorpora(allRuns, historyOf, async (served, { nights, segmentOrdinals, queries }) => {
    const published: Published = new Map()
    notePublished(published, served, served.corpus)
    const seen = [await look(served, served.corpus)]
    for (const [number, night] of nights.entries()) {
      const corpus = corpusOf(night, served.corpus, number)
      await buildNight(served, corpus, segmentOrdinals)
      notePublished(published, served, corpus)
      const model = modelOf(corpus)
      await indexFollows(served, corpus, model)
      await searchesFollow(served, model, queries)
      await recordsStay(served, corpus, published)
      seen.push(await look(served, corpus))
    }
    for (const before of seen) await leadsOn(served, before, seen.at(-1)!)
  })
})

/** The catalogues of a night, its clips, and whether some have other speech. */
type Night = { catalogues: SourceCorpus['catalogues']; present: boolean[]; isReplaced: boolean }

function historyOf(corpus: SourceCorpus) {
  // The last one is a clip that is added later.
  const length = corpus.clips.length + 1
  const night: fc.Arbitrary<Night> = fc.record({
    catalogues: changedCatalogues(corpus),
    present: fc.array(fc.boolean(), { minLength: length, maxLength: length }),
    isReplaced: fc.boolean(),
  })
  return fc.record({
    nights: fc.array(night, { minLength: 2, maxLength: 4 }),
    /** How many ordinals a segment of the sentence index covers. */
    segmentOrdinals: fc.constantFrom(undefined, 1, 3),
    queries: fc.array(sentencesQueries(corpus), { minLength: 8, maxLength: 8 }),
  })
}

function corpusOf({ catalogues, present, isReplaced }: Night, corpus: SourceCorpus, number: number) {
  const { clipId: _, ...twin } = corpus.clips[0]!
  const clips = [...corpus.clips, { ...twin, videoId: 'late-clip' }]
    .filter((_, i) => present[i])
    .map((clip, i) => (isReplaced && i % 2 === 0 ? respoken(clip, number) : clip))
  return { ...corpus, catalogues, clips }
}

/** Returns the clip with another title, and with its lines in another order. */
function respoken(clip: SourceClip, number: number): SourceClip {
  const cues = clip.cues.map(({ tStart, tEnd }, i) => ({
    tStart,
    tEnd,
    text: clip.cues[(i + 1) % clip.cues.length]!.text,
  }))
  return { ...clip, title: `${clip.title} ${number}`, cues }
}

function changedCatalogues(corpus: SourceCorpus): fc.Arbitrary<SourceCorpus['catalogues']> {
  const languages = languagesOf(corpus)
  return fc
    .tuple(...languages.map((language, i) => changedCatalogue(corpus, language, 200 + 100 * i)))
    .map((changed) => {
      const pairs = languages.map((language, i) => [language, changed[i]!] as const)
      const held = pairs.filter(([language, words]) => language in corpus.catalogues || words.length > 0)
      return Object.fromEntries(held)
    })
}

/** Generates words unchanged, removed or changed; and new ones, with ids from `firstId` on. */
function changedCatalogue(
  corpus: SourceCorpus,
  language: string,
  firstId: number,
): fc.Arbitrary<CatalogueWord[]> {
  const words = corpus.catalogues[language] ?? []
  const pool = VOCABULARIES[language]!.words
  const someForm = fc.constantFrom(...pool.flat())
  const changed = (old: CatalogueWord): fc.Arbitrary<CatalogueWord | null> =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(old) },
      { weight: 1, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: someLevel.map((level) => ({ ...old, level })) },
      { weight: 1, arbitrary: fc.constant({ ...old, meanings: { en: 'corrected', ja: '直した' } }) },
      { weight: 1, arbitrary: someForm.map((form) => ({ ...old, forms: [...old.forms, form] })) },
    )
  const fresh = fc.tuple(fc.shuffledSubarray(pool, { maxLength: 5 }), someLevel).map(([chosen, level]) =>
    chosen.map(([word, ...forms], i) => ({
      wordId: firstId + i,
      word,
      level,
      meanings: { en: `to ${word}` },
      forms,
    })),
  )
  return fc.tuple(fc.tuple(...words.map(changed)), fresh).map(([old, added]) => {
    const kept = old.filter((each) => each !== null)
    const spellings = [...kept, ...added].map((each) => ignoringCase(each.word, language))
    return [...kept, ...added].filter((_, i) => spellings.indexOf(spellings[i]!) === i)
  })
}

function languagesOf({ catalogues, clips }: SourceCorpus): string[] {
  return [...new Set([...Object.keys(catalogues), ...clips.map(({ language }) => language)])]
}

async function indexFollows({ corpus, service, get }: Served, after: SourceCorpus, model: Model) {
  const { release: _, builtAt, ...coverage } = (await service.get('/corpus')).json
  expect(builtAt).toBe(new Date(service.clock.ms).toISOString())
  expectSame(coverage, model.corpus())
  for (const language of languagesOf(after)) {
    const query = { language, gloss: 'ja', levels: null } as const
    const ofLanguage = queryText({ language, gloss: 'ja', limit: 100 })
    for (const hasClips of [true, false]) {
      const { json } = await get(`/words?${ofLanguage}&hasClips=${hasClips}`)
      expectSame(json.words, model.words({ ...query, hasClips }))
    }
    const everyWord = [...(corpus.catalogues[language] ?? []), ...(after.catalogues[language] ?? [])]
    for (const headword of new Set(everyWord.map((each) => each.word))) {
      const answer = await get(`/words/${encodeURIComponent(headword)}/clips?${ofLanguage}`)
      const list = model.wordClips(headword, query)
      if (list === null) expectNotFound(answer)
      else expectSame({ word: answer.json.word, items: answer.json.items }, list)
    }
    const { json } = await get(`/feed?${ofLanguage}`)
    const clipIds: string[] = json.items.map((item: { clip: { clipId: string } }) => item.clip.clipId)
    expect(clipIds.toSorted()).toEqual(model.clipIds(language).toSorted())
    expectSame(
      json.items,
      clipIds.map((clipId) => model.feedItem(clipId, { gloss: 'ja' })),
    )
  }
}

async function searchesFollow({ get }: Served, model: Model, queries: SentencesQuery[]) {
  for (const query of queries) {
    const { q, language, match, levels } = query
    if (queryTokens(q, language).length > 12) continue
    const text = queryText({ q, language, match, level: levels?.join(), limit: 100 })
    const items = model.sentences({ q, language, match, levels })
    expectSame((await get(`/sentences?${text}`)).json, { items, totalCount: items.length, nextCursor: null })
  }
}

/** For each video id, the source of the published record, and the model of its night. */
type Published = Map<string, { source: string; model: Model; indexedAt: string }>

function notePublished(published: Published, { service }: Served, corpus: SourceCorpus): void {
  const model = modelOf(corpus)
  const indexedAt = new Date(service.clock.ms).toISOString()
  for (const clip of corpus.clips) {
    const source = JSON.stringify(clip)
    if (published.get(clip.videoId)?.source !== source)
      published.set(clip.videoId, { source, model, indexedAt })
  }
}

/**
 * Checks that each clip's record and transcript are still those of the night that published it.
 */
async function recordsStay({ get }: Served, { clips }: SourceCorpus, published: Published) {
  for (const { videoId } of clips) {
    const { model, indexedAt } = published.get(videoId)!
    expectSame((await get(`/clips/${videoId}`)).json, { ...model.clip(videoId), indexedAt })
    expectSame((await get(`/clips/${videoId}/transcript`)).json, model.transcript(videoId))
  }
}

/** A release as its callers see it: the cacheable data of each clip or word, by id. */
type Seen = { release: string; clips: Map<string, string>; words: Map<number, string> }

/** Returns everything in the release in service that a caller could cache. */
async function look({ service, get }: Served, corpus: SourceCorpus): Promise<Seen> {
  const { release } = (await service.get('/corpus')).json
  const clips = new Map<string, string>()
  for (const { videoId } of corpus.clips) {
    const { json, text } = await get(`/clips/${videoId}`)
    clips.set(json.clipId, text)
  }
  const words = new Map<number, string>()
  const ids = Object.values(corpus.catalogues).flatMap((some) => some.map(({ wordId }) => wordId))
  if (ids.length === 0) return { release, clips, words }
  for (const word of (await get(`/words?ids=${ids.join()}`)).json.words)
    words.set(word.wordId, JSON.stringify(word))
  return { release, clips, words }
}

/**
 * Checks that only the items in `/changes` differ, as they are listed there. A changed clip must
 * differ; a changed word may be the same.
 */
async function leadsOn({ service }: Served, before: Seen, now: Seen): Promise<void> {
  const { status, json } = await service.get(`/changes?since=${before.release}`)
  expect(status).toBe(200)
  const changes = json as Changes
  expect(changes).toMatchObject({ from: before.release, to: now.release })
  holdsFor(changes.clips, before.clips, now.clips)
  holdsFor(changes.words, before.words, now.words)
  for (const id of changes.clips.changed) expect(before.clips.get(id)).not.toBe(now.clips.get(id))
  if (before === now) expect([changes.clips.changed, changes.words.changed]).toEqual([[], []])
}

function holdsFor<Id extends string | number>(
  { added, changed, withdrawn }: { added: Id[]; changed: Id[]; withdrawn: Id[] },
  before: Map<Id, string>,
  now: Map<Id, string>,
): void {
  expect(new Set(added)).toEqual(new Set([...now.keys()].filter((id) => !before.has(id))))
  expect(new Set(withdrawn)).toEqual(new Set([...before.keys()].filter((id) => !now.has(id))))
  for (const id of changed) expect(before.has(id) && now.has(id)).toBe(true)
  const named = new Set(changed)
  const differing = [...now].filter(([id, text]) => before.has(id) && before.get(id) !== text)
  for (const [id] of differing) expect(named.has(id), `${id} has changed`).toBe(true)
}
