import { chmod, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { clipIdOf } from '#corpus/source-clip.ts'
import { fixedClock } from '#kit/clock.ts'
import type { BuildOptions } from '#build/build-options.ts'
import { releaseFiles } from '#release/paths.ts'
import { openRelease } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { readLedger } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceCorpus } from '../model/source.ts'
import {
  buildTree,
  catalogue,
  clip,
  clips,
  corpus,
  epochS,
  filesOf,
  readJson,
  word,
  writeFiles,
} from './small-corpus.ts'
import { clipOf, clipsOf, itemsOf, wordOf, wordsOf } from '../harness/opened.ts'

const id = (videoId: string) => clipIdOf({ videoId })
const later = { clock: fixedClock(epochS + 86_400) }

/** A source and a tree, built night by night; shrinking is let pass. */
function nights() {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  return {
    src,
    dist,
    build: async (source: SourceCorpus, options: Partial<BuildOptions> = {}) => {
      await rm(src, { recursive: true, force: true })
      await writeSourceFolder(src, source)
      return await buildTree(src, dist, { maxShrink: 1, ...options })
    },
    data: () => filesOf(join(dist, 'data')),
    open: async () => openRelease(folderTree(dist), (await readJson(dist, 'current.json')).release),
    changes: async () => {
      const { release } = await readJson(dist, 'current.json')
      return await readJson(dist, 'releases', release, 'changes.json')
    },
    report: () => readJson(dist, '.build/report.json'),
  }
}

describe('the tree', () => {
  test('keeps the state of the build from other users, and nothing else', async () => {
    const { dist, build } = nights()
    await build(corpus([clip('a')]))
    const isOpen = async (path: string) => ((await stat(join(dist, path))).mode & 0o007) !== 0
    expect([await isOpen('.build'), await isOpen(''), await isOpen('data')]).toEqual([false, true, true])
    await chmod(join(dist, '.build'), 0o755)
    await build(corpus([clip('b')]))
    expect(await isOpen('.build')).toBe(false)
  })

  test('has the names of the contract', async () => {
    const { dist, build } = nights()
    const { release } = await build(corpus([clip('a')]))
    const names = Object.keys(await filesOf(dist)).map((name) => name.replace(/[0-9a-f]{16}(?=\.)/, '<hash>'))
    expect(names.sort()).toEqual(
      [
        '_headers',
        'current.json',
        'data/corpus.<hash>.json',
        'data/index/en/clips.<hash>.json',
        'data/index/en/words.<hash>.json',
        'index.json',
        `data/clips/${id('a')}.json`,
        `data/transcripts/${id('a')}.json`,
        'data/sentences/en/<hash>.1.bin',
        'data/sentences/en/<hash>.bin',
        'data/words/en/1.<hash>.json',
        'data/words/en/2.<hash>.json',
        ...releaseFiles.map((name) => `releases/${release}/${name}`),
      ].sort(),
    )
    expect(await readJson(dist, 'current.json')).toEqual({ release })
  })

  test.each([
    ['another name', (videoId: string) => `of ${videoId.length} letters`, 1],
    ['the id of its clip', (videoId: string) => videoId, 3],
    ['the id of its clip within another', (videoId: string) => `x${videoId}x`, 3],
  ])('counts the channels of clips that stay, where a channel has for id %s', async (_, idOf, count) => {
    const { dist, build, open } = nights()
    const all = ['va', 'vb', 'vc'].map((videoId) =>
      clip(videoId, 'The cat runs.', { channel: { id: idOf(videoId), name: 'Channel' } }),
    )
    await build(corpus(all.slice(0, 2)))
    await build(corpus(all))
    const { channelCount } = await readJson(dist, (await open()).manifest.corpus)
    expect(channelCount).toBe(count)
  })

  test('tells CDNs to keep data/ and releases/ for ever and current.json for a minute', async () => {
    const { dist, build } = nights()
    await build(corpus([clip('a')]))
    const { _headers: headers } = await filesOf(dist)
    // The files of the sentence index are not JSON: the type of a file follows from its name.
    expect(headers).not.toContain('Content-Type')
    const rules = Object.fromEntries(
      headers!
        .trim()
        .split('\n\n')
        .map((rule) => [rule.split('\n')[0]!, /Cache-Control: (.*)/.exec(rule)![1]]),
    )
    const forEver = 'public, max-age=31536000, immutable'
    expect(rules).toEqual({
      '/data/*': forEver,
      '/releases/*': forEver,
      '/current.json': 'public, max-age=60',
      '/index.json': 'public, max-age=60',
    })
  })

  test('splits a long list of clips into pages, any part of which can be read', async () => {
    const { build, open, dist } = nights()
    await build(corpus(clips(501)))
    const release = await open()
    const pages = release.words.pages(release.words.find(1))
    expect(pages.length).toBeGreaterThan(1)
    for (const { path } of pages) {
      expect(path).toMatch(/^data\/words\/en\/1\.[0-9a-f]{16}\.json$/)
      expect(await readJson(dist, path)).toMatchObject({ wordId: 1, language: 'en' })
    }
    const whole = await itemsOf(release, 1, 0, 501)
    expect(whole).toHaveLength(501)
    for (let start = 0; start < 501; start += 17)
      for (const end of [start, start + 1, Math.min(start + 100, 501)])
        expect(await itemsOf(release, 1, start, end)).toEqual(whole.slice(start, end))
  })
})

describe('built again', () => {
  test('an unchanged source makes a new release once the service has another gloss', async () => {
    const { build } = nights()
    await build(corpus(clips(2)))
    ;(glosses as unknown as string[]).push('fr')
    onTestFinished(() => void (glosses as unknown as string[]).pop())
    expect(await build(corpus(clips(2)))).toMatchObject({ isNew: true, changed: 0 })
  })

  test('from nothing, reproducibly: the same bytes in the whole tree, and another tree for another source', async () => {
    const folder = tempFolder()
    const [src, other] = [join(folder, 'src'), join(folder, 'other')]
    await writeSourceFolder(src, corpus(clips(3)))
    await writeSourceFolder(other, corpus(clips(4)))
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(folder, name)) as [string, string, string]
    await buildTree(src, a, { reproducible: true })
    await buildTree(src, b, { reproducible: true })
    const { release } = await buildTree(other, c, { reproducible: true })
    expect(await filesOf(a)).toEqual(await filesOf(b))
    const idOf = (tree: string) => readLedger(tree)!.tree
    expect(readLedger(a)).toEqual(readLedger(b))
    expect(idOf(c)).not.toBe(idOf(a))
    expect((await readJson(c, 'releases', release, 'manifest.json')).tree).toBe(idOf(c))
  })

  test('from nothing at the same SOURCE_DATE_EPOCH: the same bytes under data/, and nothing but indexedAt tells the time', async () => {
    const [first, second, third] = [nights(), nights(), nights()]
    await first.build(corpus(clips(5)))
    await second.build(corpus(clips(5)))
    await third.build(corpus(clips(5)), later)
    const data = await first.data()
    expect(Object.keys(data).length).toBeGreaterThan(10)
    expect(await second.data()).toEqual(data)
    const timeless = (files: Record<string, string>) => JSON.stringify(files).replace(/indexedAt[^}]*/g, '')
    expect(await third.data()).not.toEqual(data)
    expect(timeless(await third.data())).toBe(timeless(data))
  })

  test('an unchanged source makes no new release, and no byte differs', async () => {
    const { build, dist } = nights()
    const first = await build(corpus(clips(5)))
    const before = await filesOf(dist)
    expect(first).toMatchObject({ isNew: true, changed: 5 })
    expect(await build(corpus(clips(5)), later)).toMatchObject({
      release: first.release,
      isNew: false,
      changed: 0,
      clips: 5,
    })
    expect(await filesOf(dist)).toEqual(before)
  })

  test('layout and key order of a source file are no change', async () => {
    const { build, src, dist } = nights()
    const { release } = await build(corpus(clips(5)))
    const { videoId, ...rest } = clip('v0')
    await writeFiles(src, { 'clips/0000.json': JSON.stringify({ ...rest, videoId }, null, 4) })
    expect(await buildTree(src, dist)).toMatchObject({ release, kept: 0 })
  })

  test('a name under data/ and releases/ never changes its bytes, whatever the nights bring', async () => {
    const { build, dist } = nights()
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
      await build(source, { replace: 'all', clock: fixedClock(epochS + night) })
      const files = await filesOf(dist)
      for (const [name, text] of Object.entries(files)) {
        if (!/^(data|releases)\//.test(name)) continue
        expect(text, name).toBe(seen[name] ?? text)
        seen[name] = text
      }
      expect(Object.keys(files)).toEqual(expect.arrayContaining(Object.keys(seen)))
    }
    expect(await readdir(join(dist, 'releases'))).toHaveLength(sources.length)
  })
})

describe('a published clip', () => {
  test('follows the catalogue by lemmas and sentence ends that its transcript does not tell', async () => {
    const { build, open } = nights()
    const words = ['saw', 'it', 'Look'].map((text, i) => ({
      text,
      tStart: i,
      tEnd: i + 1,
      ...(i === 0 ? { lemma: 'see' } : {}),
    }))
    const cues = [{ tStart: 0, tEnd: 4, text: 'Saw it. Look', words }]
    await build(corpus([clip('a', '', { cues })]))
    await build(
      corpus(
        [clip('a', '', { cues })],
        [word(1, 'see'), word(2, 'saw'), word(3, 'it look'), word(4, 'saw it')],
      ),
    )
    expect(wordsOf(await open(), 'en').map(({ wordId, clipCount }) => [wordId, clipCount])).toEqual([
      [1, 1],
      [4, 1],
      [2, 0],
      [3, 0],
    ])
  })

  test('whose source differs keeps its record, makes no new release, and is named by the build and the next report', async () => {
    const { build, data, report } = nights()
    const { release } = await build(corpus([clip('a'), clip('b')]))
    const before = await data()
    const changed = clip('a', 'The moon.')
    const summary = await build(corpus([changed, clip('b')]), later)
    const kept = [{ clipId: id('a'), reason: 'clips/0000.json differs from what is published' }]
    expect(summary).toMatchObject({ release, isNew: false, changed: 0, kept: 1, keptClips: kept, clips: 2 })
    expect(await data()).toEqual(before)
    await build(corpus([changed, clip('b'), clip('c')]), later)
    expect((await report()).kept).toEqual(kept)
  })

  test.each<[string, string | Uint8Array]>([
    ['cut short', '{"videoId": "a", "ti'],
    ['unreadable', '{'],
    ['empty', ''],
    ['not UTF-8', Uint8Array.of(0xff)],
    ['over 180 s', JSON.stringify(clip('a', '', { durationS: 999 }))],
  ])('whose file is %s keeps its record, makes no new release, and is named likewise', async (_, content) => {
    const { build, src, dist, open, report } = nights()
    const many = [clip('a'), ...clips(10)]
    await build(corpus(many))
    await writeFiles(src, { 'clips/0000.json': content })
    const counts = { rejected: 1, kept: 1, clips: 11 }
    expect(await buildTree(src, dist)).toMatchObject({ ...counts, isNew: false, changed: 0 })
    expect(clipOf(await open(), 'a')).toBeDefined()
    await writeFiles(src, { 'clips/z.json': JSON.stringify(clip('z')) })
    expect(await buildTree(src, dist)).toMatchObject({ ...counts, clips: 12, isNew: true, changed: 1 })
    expect(await report()).toMatchObject({
      rejected: [{ file: 'clips/0000.json' }],
      kept: [{ clipId: id('a') }],
    })
  })

  test.each<[string, Uint8Array]>([
    ['cut short', Buffer.from('{"videoId":"a","ti')],
    ['not UTF-8', Buffer.from('{"videoId":"a","title":"\xe9"}', 'latin1')],
  ])('whose line of a .jsonl is %s keeps its record', async (_, line) => {
    const { build, src, dist, open } = nights()
    await build(corpus(clips(10)))
    await writeFiles(src, { 'clips/x.jsonl': JSON.stringify(clip('a')) })
    await buildTree(src, dist)
    await writeFiles(src, { 'clips/x.jsonl': line })
    expect(await buildTree(src, dist)).toMatchObject({ rejected: 1, kept: 1, clips: 11 })
    expect(clipOf(await open(), 'a')).toBeDefined()
  })

  test('that is gone from the source is withdrawn, and comes back with its record and ordinal', async () => {
    const { build, data, open, changes } = nights()
    await build(corpus([clip('a'), clip('b'), clip('c')]))
    const before = await data()
    const ordinal = clipOf(await open(), 'b')!.ordinal

    expect(await build(corpus([clip('a'), clip('c')]), later)).toMatchObject({ changed: 1, clips: 2 })
    const without = await open()
    expect([clipOf(without, 'b'), clipsOf(without, 'en')[ordinal], wordOf(without, 1)!.clipCount]).toEqual([
      undefined,
      undefined,
      2,
    ])
    expect((await changes()).clips).toEqual({ added: [], changed: [], withdrawn: [id('b')] })

    await build(corpus([clip('a'), clip('new'), clip('c')]), later)
    expect(clipOf(await open(), 'new')!.ordinal).toBe(3)

    await build(corpus([clip('b'), clip('a'), clip('new'), clip('c')]), later)
    expect((await changes()).clips).toEqual({ added: [id('b')], changed: [], withdrawn: [] })
    expect(clipOf(await open(), 'b')).toMatchObject({
      ordinal,
      record: { path: `data/clips/${id('b')}.json` },
    })
    expect((await data())[`clips/${id('b')}.json`]).toBe(before[`clips/${id('b')}.json`])
  })
})

describe('a replaced clip', () => {
  const changed = corpus([clip('a', 'The moon.'), clip('b', 'The moon.')])

  test('has a new name, its own indexedAt, and its ordinal', async () => {
    const { build, data, open, changes } = nights()
    await build(corpus([clip('a'), clip('b')]))
    const before = await data()
    const summary = await build(changed, { replace: new Set([id('a')]), ...later })
    expect(summary).toMatchObject({ changed: 1, kept: 1 })
    const row = clipOf(await open(), 'a')!
    expect(row).toMatchObject({
      ordinal: 0,
      record: { path: `data/clips/${id('a')}.2.json` },
      transcript: { path: `data/transcripts/${id('a')}.2.json` },
    })
    const now = await data()
    expect(now).toMatchObject(before)
    expect(JSON.parse(now[`clips/${id('a')}.2.json`]!)).toMatchObject({
      indexedAt: '2026-03-02T12:00:00.000Z',
      wordCount: 1,
    })
    expect((await changes()).clips).toEqual({ added: [], changed: [id('a')], withdrawn: [] })
  })

  test('stays as replaced, and may be replaced again', async () => {
    const { build, open } = nights()
    await build(corpus([clip('a'), clip('b')]))
    await build(changed, { replace: 'all' })
    expect(await build(changed)).toMatchObject({ isNew: false, kept: 0 })
    expect(await build(corpus([clip('a'), clip('b')]), { replace: 'all' })).toMatchObject({
      changed: 2,
      kept: 0,
    })
    expect(clipOf(await open(), 'b')!.record.path).toBe(`data/clips/${id('b')}.3.json`)
  })
})

describe('changes.json', () => {
  test('tells what a release does to the one before, ids ascending', async () => {
    const { build, changes } = nights()
    const first = await build(corpus([clip('a')]))
    expect(await changes()).toMatchObject({
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
    const second = await build(corpus([clip('a'), clip('z', 'The sun.'), clip('b', 'The sun.')], words))
    expect(await changes()).toMatchObject({
      from: first.release,
      to: second.release,
      clips: { added: [id('z'), id('b')].sort(), changed: [], withdrawn: [] },
      words: { added: [9, 10], changed: [2], withdrawn: [3] },
    })
  })
})

test('a second clip of the night is in the report though no clip of the release changed', async () => {
  const { build, report } = nights()
  const source = corpus(clips(10))
  await build(source)
  const double = { ...source, clips: [...source.clips, clip('v0', 'Another.')] }
  await build(double)
  expect((await report()).rejected).toMatchObject([{ file: 'clips/0010.json', field: 'videoId' }])
})
