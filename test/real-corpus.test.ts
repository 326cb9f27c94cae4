import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FeedPage } from '#contract/feed.ts'
import type { SentencePage } from '#contract/sentences.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { WordPage } from '#contract/word.ts'
import type { ImportReport } from '#corpus/import/import-files.ts'
import { describeRealData } from './harness/real-data.ts'
import { startService, type Service } from './harness/service.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { prepareRealTranscripts } from './corpus/import/real-transcripts.ts'

const door = new URL('../scripts/clip-lookup.mjs', import.meta.url).pathname

describeRealData('a service over real English transcripts', (data) => {
  let folder: string
  let service: Service
  let key: string
  let items: FeedPage['items']
  const transcripts = new Map<string, Transcript>()
  let prepared: number
  let imported: ImportReport

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'real-corpus-'))
    const corpusFolder = join(folder, 'corpus')
    prepared = await prepareRealTranscripts(data, join(folder, 'subtitles'))
    imported = await importAll()
    const catalogue = join(data, 'source-corpus', 'catalogue')
    await cp(catalogue, join(corpusFolder, 'catalogue'), { recursive: true })
    service = await startService({ folder, corpusFolder })
    key = await service.newKey()
    items = (await walk<FeedPage>('/feed?limit=17&seed=first')).flatMap((page) => page.items)
    for (const { clip } of items) transcripts.set(clip.clipId, await get(`/clips/${clip.clipId}/transcript`))
  })
  afterAll(async () => {
    await service?.stop()
    await rm(folder, { recursive: true })
  })

  async function importAll(): Promise<ImportReport> {
    const options = `--corpus ${join(folder, 'corpus')} --language en --level B1 --json`.split(' ')
    const command = [door, 'import', join(folder, 'subtitles'), ...options]
    const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 2 ** 26 })
    return JSON.parse(stdout) as ImportReport
  }

  async function get<T>(path: string): Promise<T> {
    const answer = await service.get(path, { key })
    if (answer.status !== 200) throw new Error(`${path} → ${answer.status} ${answer.text}`)
    return answer.json as T
  }

  async function walk<Page extends { nextCursor: string | null }>(path: string): Promise<Page[]> {
    const pages = [await get<Page>(path)]
    for (let page = pages[0]!; page.nextCursor !== null; pages.push(page))
      page = await get(`${path}&cursor=${page.nextCursor}`)
    return pages
  }

  test('imports at least 100, gives a reason for every other one, and changes nothing the second time', async () => {
    expect(imported.imported).toBeGreaterThanOrEqual(100)
    expect(imported.imported + imported.skipped + imported.rejected).toBe(prepared)
    for (const { file, outcome, reason = '' } of imported.files)
      expect([file, outcome === 'imported' || reason.length > 5]).toEqual([file, true])
    const { imported: unchanged, rejected } = imported
    expect(await importAll()).toMatchObject({ imported: 0, unchanged, rejected })
  })

  test('finds 200 phrases wherever a plain scan of the source text finds them', async () => {
    const texts = await sourceTexts(join(folder, 'corpus', 'clips'))
    const random = seededRandom(20)
    const all = [...texts.values()]
    let found = 0
    for (let asked = 0; asked < 200;) {
      const words = all[Math.floor(random() * all.length)]!.split(' ')
      const from = Math.floor(random() * words.length)
      const phrase = words.slice(from, from + 2 + Math.floor(random() * 3))
      if (phrase.length < 2 || !phrase.every((word) => /^[A-Za-z]+$/.test(word))) continue
      asked++
      const expected = new Map(
        [...texts]
          .map(([videoId, text]): [string, number] => [videoId, [...text.matchAll(saidIn(phrase))].length])
          .filter(([, count]) => count > 0),
      )
      const q = encodeURIComponent(phrase.join(' '))
      const page = await get<SentencePage>(`/sentences?q=${q}&match=exact&limit=100`)
      const counts = new Map(page.items.map(({ clip, matchCount }) => [clip.videoId, matchCount]))
      expect(counts, phrase.join(' ')).toEqual(expected)
      for (const { text, start, end } of page.items.flatMap(({ matches }) => matches))
        expect([...text].slice(start, end).join('')).toMatch(saidIn(phrase))
      found += page.totalCount!
    }
    expect(found).toBeGreaterThan(200)
  })

  test('nearly every clip has a focus word, which is spoken where the item says', async () => {
    expect(new Set(items.map(({ clip }) => clip.clipId)).size).toBe(imported.imported)
    const withFocus = items.filter((item) => item.focusWord !== null)
    expect(withFocus.length).toBeGreaterThan(items.length * 0.9)
    for (const { clip, focusWord } of withFocus) {
      const { cues } = transcripts.get(clip.clipId)!
      const { tStart, wordId, level } = focusWord!
      const said = cues.flatMap(({ words }) => words).filter((word) => word.tStart === tStart)
      expect(said.flatMap(({ wordIds = [] }) => wordIds)).toContain(wordId)
      expect(level).toBe('B2')
    }
  })

  test('every transcript ends within its clip and names only catalogue words', async () => {
    for (const [clipId, transcript] of transcripts) {
      const words = transcript.cues.flatMap((cue) => cue.words)
      expect(words.length).toBeGreaterThan(0)
      for (const word of words) {
        expect(word.tStart).toBeLessThanOrEqual(word.tEnd)
        expect(word.tEnd).toBeLessThanOrEqual(transcript.durationS + 1)
      }
      const share = words.filter((word) => word.wordIds).length / words.length
      expect(share, clipId).toBeGreaterThan(0.5)
    }
  })

  test('200 words: lists the clips whose transcripts contain the word', async () => {
    const carrying = new Map<number, Set<string>>()
    for (const [clipId, { cues }] of transcripts)
      for (const id of cues.flatMap((cue) => cue.words.flatMap((word) => word.wordIds ?? [])))
        carrying.getOrInsertComputed(id, () => new Set()).add(clipId)
    const words = (await walk<WordPage>('/words?limit=100')).flatMap((page) => page.words)
    const step = Math.floor(words.length / 200)
    const asked = words.filter((_, i) => i % step === 0).slice(0, 200)
    expect(asked).toHaveLength(200)
    for (const word of asked) {
      const pages = await walk<WordClipPage>(`/words/${encodeURIComponent(word.word)}/clips?limit=40`)
      for (const page of pages) expect(page.word).toEqual(word)
      const items = pages.flatMap((page) => page.items)
      const clipsListed = items.map((item) => item.clip.clipId).toSorted()
      expect(clipsListed, word.word).toEqual([...carrying.get(word.wordId)!].toSorted())
      expect(items).toHaveLength(word.clipCount)
    }
  })
})

/** Returns the speech of each clip in a source corpus, line after line, by video. */
async function sourceTexts(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const content = await readFile(join(file.parentPath, file.name), 'utf8')
    for (const line of file.name.endsWith('.jsonl') ? content.trim().split('\n') : [content]) {
      const { videoId, cues } = JSON.parse(line) as { videoId: string; cues: { text: string }[] }
      texts.set(videoId, cues.map(({ text }) => text).join(' '))
    }
  }
  return texts
}

/** Returns a pattern for whole consecutive words, without the end of a sentence between them. */
function saidIn(words: readonly string[]): RegExp {
  const between = "(?:[^\\p{L}\\p{N}.!?…'’-]|(?<![\\p{L}\\p{N}])-|-(?![\\p{L}\\p{N}]))+"
  const [before, after] = ["(?<![\\p{L}\\p{N}]['’.-]?)", "(?![\\p{L}\\p{N}]|['’.-][\\p{L}\\p{N}])"]
  return new RegExp(before + words.join(between) + after, 'giu')
}
