import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { someLevel } from '../model/chances.ts'
import { modelOf } from '../model/model.ts'
import { ignoringCase } from '../model/spelling.ts'
import type { CatalogueWord, Level, SourceCorpus } from '../model/source.ts'
import { VOCABULARIES } from '../model/vocabulary.ts'
import { expectNotFound, expectSame, holdsForCorpora, queryText, type Served } from './agreement/served.ts'

const allRuns = 20
const dayMs = 24 * 3600 * 1000

test('after any change of the catalogue the index follows it, and what was published of a clip stays', async () => {
  await holdsForCorpora(allRuns, changedCorpora, async (served, after) => {
    await rebuild(served, after)
    await indexFollows(served, after)
    await recordsStay(served, after)
  })
})

function word(wordId: number, headword: string, level: Level, forms: string[] = []): CatalogueWord {
  return { wordId, word: headword, level, meanings: { en: `to ${headword}` }, forms }
}

/**
 * The corpus with another catalogue, and a clip more: the first one's twin, under another video.
 */
function changedCorpora(corpus: SourceCorpus): fc.Arbitrary<SourceCorpus> {
  const languages = languagesOf(corpus)
  const { clipId: _, ...twin } = corpus.clips[0]!
  const clips = [...corpus.clips, { ...twin, videoId: 'late-clip' }]
  return fc
    .tuple(...languages.map((language, i) => changedCatalogue(corpus, language, 200 + 100 * i)))
    .map((changed) => {
      const pairs = languages.map((language, i) => [language, changed[i]!] as const)
      const held = pairs.filter(([language, words]) => language in corpus.catalogues || words.length > 0)
      return { ...corpus, catalogues: Object.fromEntries(held), clips }
    })
}

/**
 * Words as they were, removed, or with another level, other meanings, another form; and new ones,
 * with ids from `firstId` on.
 */
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
  const fresh = fc
    .tuple(fc.shuffledSubarray(pool, { maxLength: 5 }), someLevel)
    .map(([chosen, level]) =>
      chosen.map(([headword, ...forms], i) => word(firstId + i, headword, level, forms)),
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

/** A day later: builds the corpus on the same tree, and has the service take it up. */
async function rebuild({ service }: Served, after: SourceCorpus): Promise<void> {
  const folder = join(tempFolder(), 'corpus')
  await writeSourceFolder(folder, after)
  service.clock.ms += dayMs
  await service.build(folder)
  await service.refresh()
}

async function indexFollows({ corpus, service, get }: Served, after: SourceCorpus): Promise<void> {
  const model = modelOf(after)
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

/** A clip's record and transcript are those of its first build, whatever came after. */
async function recordsStay({ corpus, model, service, get }: Served, after: SourceCorpus): Promise<void> {
  const modelAfter = modelOf(after)
  for (const { videoId } of after.clips) {
    const isOld = corpus.clips.some((old) => old.videoId === videoId)
    const first = isOld ? model : modelAfter
    const indexedAt = new Date(service.clock.ms - (isOld ? dayMs : 0)).toISOString()
    expectSame((await get(`/clips/${videoId}`)).json, { ...first.clip(videoId), indexedAt })
    expectSame((await get(`/clips/${videoId}/transcript`)).json, first.transcript(videoId))
  }
}
