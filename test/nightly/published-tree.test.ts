import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { clipIdOf } from '#corpus/source-clip.ts'
import { fixedClock } from '#kit/clock.ts'
import { releaseFiles } from '#release/paths.ts'
import { readLedger } from '../harness/ledger.ts'
import { catalogue, clip, clips, corpus, epochS, word } from './small-corpus.ts'
import { Nights } from './nights.ts'
import { clipOf, clipsOf, itemsOf, wordOf, wordsOf } from '../harness/opened.ts'

const one = [expect.anything()]

const id = (videoId: string) => clipIdOf({ videoId })
const later = { clock: fixedClock(epochS + 86_400) }

/** Allows shrinking. */
const nights = new Nights({ maxShrink: 1 })

describe('the tree', () => {
  test('hides the state of the build from other users, and nothing else', async () => {
    await nights.build([clip('a')])
    const isOpen = async (path: string) => ((await stat(join(nights.dist, path))).mode & 0o007) !== 0
    expect([await isOpen('.build'), await isOpen(''), await isOpen('data')]).toEqual([false, true, true])
  })

  test('has the file names of the contract', async () => {
    const { release } = await nights.build([clip('a')])
    const paths = Object.keys(await nights.files())
    const names = paths.map((name) => name.replace(/[0-9a-f]{16}(?=\.)/, '#'))
    const pointers = ['_headers', 'current.json', 'index.json']
    const clipFiles = [`data/clips/${id('a')}.json`, `data/transcripts/${id('a')}.json`]
    const words = ['1.#.json', '2.#.json'].map((name) => `data/words/en/${name}`)
    const sentences = ['#.1.bin', '#.bin'].map((name) => `data/sentences/en/${name}`)
    const index = ['data/corpus.#.json', 'data/index/en/clips.#.json', 'data/index/en/words.#.json']
    const ofRelease = releaseFiles.map((name) => `releases/${release}/${name}`)
    const all = [...pointers, ...clipFiles, ...words, ...sentences, ...index, ...ofRelease]
    expect(names.sort()).toEqual(all.sort())
    expect(await nights.json('current.json')).toEqual({ release })
  })

  test.each([
    ['another name', (videoId: string) => `of ${videoId.length} letters`, 1],
    ['the id of its clip', (videoId: string) => videoId, 3],
    ['the id of its clip within another', (videoId: string) => `x${videoId}x`, 3],
  ])('counts the channels of the clips that stay, with %s as a channel’s id', async (_, idOf, count) => {
    const all = ['va', 'vb', 'vc'].map((videoId) =>
      clip(videoId, 'The cat runs.', { channel: { id: idOf(videoId), name: 'Channel' } }),
    )
    await nights.build(all.slice(0, 2))
    await nights.build(all)
    const { channelCount } = await nights.json((await nights.open()).manifest.corpus)
    expect(channelCount).toBe(count)
  })

  test('tells CDNs to cache the pointers for a minute, and leaves other files to the origin', async () => {
    await nights.build([clip('a')])
    const { _headers: headers } = await nights.files()
    // The files of the sentence index are not JSON: the type of a file follows from its name.
    expect(headers).not.toContain('Content-Type')
    const rules = [...headers!.matchAll(/^(\/\S+)\n((?: {2}.+\n)+)/gm)]
    const minute = 'Cache-Control: public, max-age=60'
    const anyOrigin = 'Access-Control-Allow-Origin: *'
    // Including a missing file, because a CDN would otherwise cache its 404.
    expect(rules.map(([, path, fields]) => [path, fields!.trim().split(/\n */)])).toEqual([
      ['/data/*', [anyOrigin]],
      ['/releases/*', [anyOrigin]],
      ['/current.json', [minute]],
      ['/index.json', [minute, anyOrigin]],
    ])
  })

  test('splits a long list of clips into pages, and any part of it can be read', async () => {
    await nights.build(clips(501))
    const release = await nights.open()
    const pages = release.words.pages(release.words.find(1))
    expect(pages.length).toBeGreaterThan(1)
    for (const { path } of pages) {
      expect(path).toMatch(/^data\/words\/en\/1\.[0-9a-f]{16}\.json$/)
      expect(await nights.json(path)).toMatchObject({ wordId: 1, language: 'en' })
    }
    const whole = await itemsOf(release, 1, 0, 501)
    expect(whole).toHaveLength(501)
    for (let start = 0; start < 501; start += 17)
      for (const end of [start, start + 1, Math.min(start + 100, 501)])
        expect(await itemsOf(release, 1, start, end)).toEqual(whole.slice(start, end))
  })
})

describe('a second build', () => {
  test('of an unchanged source makes a new release after the service gained a gloss', async () => {
    await nights.build(clips(2))
    ;(glosses as unknown as string[]).push('fr')
    onTestFinished(() => void (glosses as unknown as string[]).pop())
    expect(await nights.build(clips(2))).toMatchObject({ isNew: true, changed: 0 })
  })

  test('from scratch gives the same bytes in the whole tree, and another tree for another source', async () => {
    const fromNothing = async (count: number) => {
      await rm(nights.dist, { recursive: true, force: true })
      const { release } = await nights.build(clips(count), { reproducible: true })
      const { tree } = await nights.json(`releases/${release}/manifest.json`)
      const { soundMs: _, ...ledger } = readLedger(nights.dist)!
      expect(ledger.tree).toBe(tree)
      return { files: await nights.files(), ledger }
    }
    const first = await fromNothing(3)
    expect(await fromNothing(3)).toEqual(first)
    expect((await fromNothing(4)).ledger.tree).not.toBe(first.ledger.tree)
  })

  test('from scratch at the same SOURCE_DATE_EPOCH gives the same bytes under data/, in which only indexedAt depends on the time', async () => {
    const dataOf = async (options = {}) => {
      await rm(nights.dist, { recursive: true, force: true })
      await nights.build(clips(5), options)
      return await nights.files('data')
    }
    const data = await dataOf()
    expect(Object.keys(data).length).toBeGreaterThan(10)
    expect(await dataOf()).toEqual(data)
    const afterwards = await dataOf(later)
    const timeless = (files: Record<string, string>) => JSON.stringify(files).replace(/indexedAt[^}]*/g, '')
    expect(afterwards).not.toEqual(data)
    expect(timeless(afterwards)).toBe(timeless(data))
  })

  test('of an unchanged source makes no new release and changes no byte', async () => {
    const first = await nights.build(clips(5))
    const before = await nights.files()
    expect(first).toMatchObject({ isNew: true, changed: 5 })
    const { release } = first
    expect(await nights.build(clips(5), later)).toMatchObject({ release, isNew: false, changed: 0, clips: 5 })
    expect(await nights.files()).toEqual(before)
  })

  test('ignores changes of layout and key order in a source file', async () => {
    const { release } = await nights.build(clips(5))
    const { videoId, ...rest } = clip('v0')
    await nights.write({ 'clips/0000.json': JSON.stringify({ ...rest, videoId }, null, 4) })
    expect(await nights.again()).toMatchObject({ release, kept: [] })
  })

  test('never changes the bytes of a name under data/ and releases/', async () => {
    const changed = clip('v1', 'A moon and a cat.')
    const seen: Record<string, string> = {}
    const sources = [
      corpus(clips(4)),
      corpus([...clips(4), clip('new', 'The moon.')]),
      corpus([clip('v0'), changed, clip('v3')]),
      corpus(clips(4), [...catalogue, word(9, 'the')]),
      corpus([clip('v0'), changed], [word(1, 'cat', { level: 'B1' })]),
      corpus(clips(4)),
    ]
    for (const [night, source] of sources.entries()) {
      await nights.build(source, { replace: 'all', clock: fixedClock(epochS + night) })
      const files = await nights.files()
      for (const [name, text] of Object.entries(files)) {
        if (!/^(data|releases)\//.test(name)) continue
        expect(text, name).toBe(seen[name] ?? text)
        seen[name] = text
      }
      expect(Object.keys(files)).toEqual(expect.arrayContaining(Object.keys(seen)))
    }
    expect(await readdir(join(nights.dist, 'releases'))).toHaveLength(sources.length)
  })
})

describe('a published clip', () => {
  test('follows the catalogue, with lemmas and sentence ends that its transcript does not contain', async () => {
    const timed = ['saw', 'it', 'Look'].map((text, i) => ({ text, tStart: i, tEnd: i + 1 }))
    Object.assign(timed[0]!, { lemma: 'see' })
    const said = [clip('a', '', { cues: [{ tStart: 0, tEnd: 4, text: 'Saw it. Look', words: timed }] })]
    await nights.build(said)
    const words = ['see', 'saw', 'it look', 'saw it'].map((text, i) => word(i + 1, text))
    await nights.build(corpus(said, words))
    const found = wordsOf(await nights.open(), 'en').filter(({ clipCount }) => clipCount === 1)
    expect(found.map((each) => each.word)).toEqual(['see', 'saw it'])
  })

  test('keeps its record if its source changes, makes no new release, and is named by the build and the next report', async () => {
    const { release } = await nights.build([clip('a'), clip('b')])
    const before = await nights.files('data')
    const changed = clip('a', 'The moon.')
    const summary = await nights.build([changed, clip('b')], later)
    const kept = [{ clipId: id('a'), reason: 'clips/0000.json differs from the published version' }]
    expect(summary).toMatchObject({ release, isNew: false, changed: 0, kept, clips: 2 })
    expect(await nights.files('data')).toEqual(before)
    await nights.build([changed, clip('b'), clip('c')], later)
    expect((await nights.json('.build/report.json')).kept).toEqual(kept)
  })

  test.each<[string, string | Uint8Array]>([
    ['cut short', '{"videoId": "a", "ti'],
    ['empty', ''],
    ['not UTF-8', Uint8Array.of(0xff)],
    ['over 180 s', JSON.stringify(clip('a', '', { durationS: 999 }))],
  ])('keeps its record without a new release, and is reported, if its file is %s', async (_, content) => {
    const many = [clip('a'), ...clips(10)]
    await nights.build(many)
    await nights.write({ 'clips/0000.json': content })
    const counts = { rejected: one, kept: one, clips: 11 }
    expect(await nights.again()).toMatchObject({ ...counts, isNew: false, changed: 0 })
    expect(clipOf(await nights.open(), 'a')).toBeDefined()
    await nights.write({ 'clips/z.json': JSON.stringify(clip('z')) })
    expect(await nights.again()).toMatchObject({ ...counts, clips: 12, isNew: true, changed: 1 })
    const reported = { rejected: [{ file: 'clips/0000.json' }], kept: [{ clipId: id('a') }] }
    expect(await nights.json('.build/report.json')).toMatchObject(reported)
  })

  test.each<[string, Uint8Array]>([
    ['cut short', Buffer.from('{"videoId":"a","ti')],
    ['not UTF-8', Buffer.from('{"videoId":"a","title":"\xe9"}', 'latin1')],
  ])('keeps its record if its line of a .jsonl file is %s', async (_, line) => {
    await nights.build(clips(10))
    await nights.write({ 'clips/x.jsonl': JSON.stringify(clip('a')) })
    await nights.again()
    await nights.write({ 'clips/x.jsonl': line })
    expect(await nights.again()).toMatchObject({ rejected: one, kept: one, clips: 11 })
    expect(clipOf(await nights.open(), 'a')).toBeDefined()
  })

  test('is withdrawn when it is removed from the source, and returns with its record and ordinal', async () => {
    await nights.build([clip('a'), clip('b'), clip('c')])
    const before = await nights.files('data')
    const ordinal = clipOf(await nights.open(), 'b')!.ordinal

    expect(await nights.build([clip('a'), clip('c')], later)).toMatchObject({ changed: 1, clips: 2 })
    const without = await nights.open()
    expect([clipOf(without, 'b'), clipsOf(without, 'en')[ordinal]]).toEqual([undefined, undefined])
    expect(wordOf(without, 1)!.clipCount).toBe(2)
    expect((await nights.changes()).clips).toEqual({ added: [], changed: [], withdrawn: [id('b')] })

    await nights.build([clip('a'), clip('new'), clip('c')], later)
    expect(clipOf(await nights.open(), 'new')!.ordinal).toBe(3)

    await nights.build([clip('b'), clip('a'), clip('new'), clip('c')], later)
    expect((await nights.changes()).clips).toEqual({ added: [id('b')], changed: [], withdrawn: [] })
    const record = { path: `data/clips/${id('b')}.json` }
    expect(clipOf(await nights.open(), 'b')).toMatchObject({ ordinal, record })
    expect((await nights.files('data'))[`clips/${id('b')}.json`]).toBe(before[`clips/${id('b')}.json`])
  })
})

describe('a replaced clip', () => {
  const changed = corpus([clip('a', 'The moon.'), clip('b', 'The moon.')])

  test('has a new name, a new indexedAt, and its old ordinal', async () => {
    await nights.build([clip('a'), clip('b')])
    const before = await nights.files('data')
    const summary = await nights.build(changed, { replace: new Set([id('a')]), ...later })
    expect(summary).toMatchObject({ changed: 1, kept: one })
    const row = clipOf(await nights.open(), 'a')!
    expect(row).toMatchObject({
      ordinal: 0,
      record: { path: `data/clips/${id('a')}.2.json` },
      transcript: { path: `data/transcripts/${id('a')}.2.json` },
    })
    const now = await nights.files('data')
    expect(now).toMatchObject(before)
    expect(JSON.parse(now[`clips/${id('a')}.2.json`]!)).toMatchObject({
      indexedAt: '2026-03-02T12:00:00.000Z',
      wordCount: 1,
    })
    expect((await nights.changes()).clips).toEqual({ added: [], changed: [id('a')], withdrawn: [] })
  })

  test('stays replaced, and may be replaced again', async () => {
    await nights.build([clip('a'), clip('b')])
    await nights.build(changed, { replace: 'all' })
    expect(await nights.build(changed)).toMatchObject({ isNew: false, kept: [] })
    const expected = { changed: 2, kept: [] }
    expect(await nights.build([clip('a'), clip('b')], { replace: 'all' })).toMatchObject(expected)
    expect(clipOf(await nights.open(), 'b')!.record.path).toBe(`data/clips/${id('b')}.3.json`)
  })
})

test('changes.json lists the differences from the previous release, in ascending order of ids', async () => {
  const first = await nights.build([clip('a')])
  expect(await nights.changes()).toMatchObject({
    from: null,
    to: first.release,
    clips: { added: [id('a')], changed: [], withdrawn: [] },
    words: { added: [1, 2, 3], changed: [], withdrawn: [] },
  })
  const words = [
    word(1, 'cat', { forms: ['cats'] }),
    word(2, 'run', { level: 'C1', forms: ['runs', 'ran'] }),
    word(10, 'sun'),
    word(9, 'far'),
  ]
  const second = await nights.build(corpus([clip('a'), clip('z', 'The sun.'), clip('b', 'The sun.')], words))
  expect(await nights.changes()).toMatchObject({
    from: first.release,
    to: second.release,
    clips: { added: [id('z'), id('b')].sort(), changed: [], withdrawn: [] },
    words: { added: [9, 10], changed: [2], withdrawn: [3] },
  })
})

test('reports a second clip of the same video even if no clip of the release changed', async () => {
  const source = corpus(clips(10))
  await nights.build(source)
  const double = { ...source, clips: [...source.clips, clip('v0', 'Another.')] }
  await nights.build(double)
  expect((await nights.json('.build/report.json')).rejected).toMatchObject([
    { file: 'clips/0010.json', field: 'videoId' },
  ])
})
