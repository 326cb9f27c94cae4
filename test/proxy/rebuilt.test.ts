import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { someLevel } from '../model/chances.ts'
import { modelOf } from '../model/model.ts'
import { ignoringCase } from '../model/spelling.ts'
import type { CatalogueWord, Level, SourceClip, SourceCorpus } from '../model/source.ts'
import { VOCABULARIES } from '../model/vocabulary.ts'
import {
  expectNotFound,
  expectSame,
  holdsForCorpora,
  patienceOf,
  queryText,
  serve,
  type Served,
} from './agreement.ts'

const allRuns = 20
const dayMs = 24 * 3600 * 1000

test(
  'after any change of the catalogue the index follows it, and what was published of a clip stays',
  patienceOf(allRuns),
  async () => {
    await holdsForCorpora(allRuns, changedCorpora, async (served, after) => {
      await rebuild(served, after)
      await indexFollows(served, after)
      await recordsStay(served, after)
    })
  },
)

test('a new word has its clips at once; their records do not know it', async () => {
  const served = await serveSmall()
  expectNotFound(await served.get('/words/after/clips'))
  await change(served, (words) => [...words, word(4, 'after', 'A1')])
  const { json } = await served.get('/words/after/clips')
  expect(videosOf(json)).toEqual(['nurse', 'race'])
  expect(json.items.map((item: { knownShare: number }) => item.knownShare)).toEqual([1, 1])
  expect((await served.get('/clips/nurse')).json.wordCount).toBe(2)
  expect(idsSaid((await served.get('/clips/race/transcript')).json)).toEqual([1])
})

test('a new form finds the clips that say it', async () => {
  const served = await serveSmall()
  expect(videosOf((await served.get('/words/run/clips')).json)).toEqual(['race'])
  await change(served, (words) => words.map((w) => (w.wordId === 1 ? { ...w, forms: ['ran', 'runs'] } : w)))
  expect(videosOf((await served.get('/words/run/clips')).json)).toEqual(['home', 'race'])
  expect((await served.get('/words?q=run')).json.words).toMatchObject([{ word: 'run', clipCount: 2 }])
  expect((await served.get('/clips/home')).json.wordCount).toBe(0)
  expect(idsSaid((await served.get('/clips/home/transcript')).json)).toEqual([])
})

test('another level moves the word to another band, and the share that is known around it', async () => {
  const served = await serveSmall()
  expect(await focusOf(served, 'nurse')).toBe('look after')
  expect((await served.get('/words/look/clips')).json.items[0].knownShare).toBe(0.5)
  await change(served, (words) => words.map((w) => (w.wordId === 3 ? { ...w, level: 'A1' as const } : w)))
  expect(await focusOf(served, 'nurse')).toBeNull()
  expect((await served.get('/words/look/clips')).json.items[0].knownShare).toBe(1)
  expect((await served.get('/words?level=A2')).json.words).toEqual([])
})

test('a corrected meaning is shown from then on', async () => {
  const served = await serveSmall()
  const meanings = { en: 'take care of' }
  await change(served, (words) => words.map((w) => (w.wordId === 3 ? { ...w, meanings } : w)))
  expect((await served.get('/words/3/clips')).json.word.meaning).toBe('take care of')
  expect((await served.get('/words?q=look%20after')).json.words[0].meaning).toBe('take care of')
  const { json } = await served.get('/feed')
  const nurse = json.items.find((item: { clip: { videoId: string } }) => item.clip.videoId === 'nurse')
  expect(nurse.focusWord.meaning).toBe('take care of')
})

test('a removed word is unknown, and stays in the transcripts that name it', async () => {
  const served = await serveSmall()
  await change(served, (words) => words.filter(({ wordId }) => wordId !== 3))
  expectNotFound(await served.get('/words/look%20after/clips'))
  expectNotFound(await served.get('/words/3/clips'))
  expect(await focusOf(served, 'nurse')).toBeNull()
  expect((await served.get('/clips/nurse')).json.wordCount).toBe(2)
  expect(idsSaid((await served.get('/clips/nurse/transcript')).json)).toEqual([3, 2])
})

// ------------------------------------------------------------------ the small corpus

/** "run" (1), "look" (2), both A1, and "look after" (3), A2; three A1 clips. */
async function serveSmall(): Promise<Served> {
  const clips = [
    clip('nurse', 'They look after him. We look after her.'),
    clip('race', 'We ran after it.'),
    clip('home', 'He runs home.'),
  ]
  const words = [word(1, 'run', 'A1', ['ran']), word(2, 'look', 'A1'), word(3, 'look after', 'A2')]
  const served = await serve({ catalogues: { en: words }, forms: {}, clips }, tempFolder())
  onTestFinished(() => served.service.stop())
  return served
}

function word(wordId: number, headword: string, level: Level, forms: string[] = []): CatalogueWord {
  return { wordId, word: headword, level, meanings: { en: `to ${headword}` }, forms }
}

function clip(videoId: string, text: string): SourceClip {
  const channel = { id: 'c', name: 'Channel' }
  const cues = [{ tStart: 0, tEnd: 10, text }]
  return { videoId, title: videoId, language: 'en', level: 'A1', durationS: 10, channel, cues }
}

async function change(served: Served, changed: (words: CatalogueWord[]) => CatalogueWord[]): Promise<void> {
  const { corpus } = served
  const after = { ...corpus, catalogues: { en: changed(corpus.catalogues.en!) } }
  await rebuild(served, after)
  await indexFollows(served, after)
  await recordsStay(served, after)
}

type ClipList = { items: { clip: { videoId: string } }[] }

function videosOf({ items }: ClipList): string[] {
  return items.map((item) => item.clip.videoId).toSorted()
}

async function focusOf({ get }: Served, videoId: string): Promise<string | null> {
  const { json } = await get('/feed?limit=100')
  const item = json.items.find((each: { clip: { videoId: string } }) => each.clip.videoId === videoId)
  return item.focusWord?.word ?? null
}

/** The words that a transcript names, in the order in which it does. */
function idsSaid({ cues }: { cues: { words: { wordIds?: number[] }[] }[] }): number[] {
  return [...new Set(cues.flatMap(({ words }) => words.flatMap(({ wordIds = [] }) => wordIds)))]
}

// ------------------------------------------------------------------ any corpus, any change

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
