import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clipIdOf } from '#corpus/source-clip.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { clip, clips, corpus, epochS, filesOf, readJson, writeFiles } from '../nightly/small-corpus.ts'
import { failure, run, runJson } from '../harness/command.ts'

const id = (videoId: string) => clipIdOf({ videoId })

/** Returns a user's folder with a source corpus `src` of ten clips. */
async function stand(source = corpus(clips(10))): Promise<string> {
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'src'), source)
  return folder
}

const buildArgs = ['build', '--corpus', 'src']

describe('build', () => {
  test('--json prints one line: release, clips, words, rejected, changed, kept, durationMs', async () => {
    const folder = await stand()
    const { code, stdout, stderr } = await run(folder, [...buildArgs, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    const summary = JSON.parse(stdout)
    const counts = { clips: 10, words: 3, rejected: 0, changed: 10, kept: 0, durationMs: expect.any(Number) }
    expect(summary).toEqual({ release: expect.any(String), ...counts })
    expect(Object.keys(summary)).toEqual(['release', ...Object.keys(counts)])
    expect(await readJson(folder, 'dist/current.json')).toEqual({ release: summary.release })
  })

  test('prints a summary for people, and says if the source has nothing new', async () => {
    const folder = await stand()
    const first = await run(folder, buildArgs)
    expect(first.stdout).toMatch(
      /^release {3}000001-[0-9a-f]{8}\nclips {5}10 \(10 changed, 0 kept as published, 0 rejected\)\nwords {5}3\ntook/,
    )
    expect((await run(folder, buildArgs)).stdout).toContain('(there is nothing new to publish)')
  })

  test('names rejected and kept clips on stderr, and exits with 0', async () => {
    const folder = await stand(corpus(clips(11)))
    await run(folder, buildArgs)
    await writeFiles(join(folder, 'src'), {
      'clips/0003.json': JSON.stringify(clip('v3', 'The moon.')),
      'clips/x.json': '{',
      'forms/en.tsv': 'ate\teat\n',
    })
    const { code, stdout, stderr } = await run(folder, [...buildArgs, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ clips: 11, rejected: 1, changed: 0, kept: 1 })
    expect(stderr).toContain('rejected  clips/x.json:1: The record is not valid JSON')
    expect(stderr).toContain(`kept      ${id('v3')}: clips/0003.json differs from the published version`)
    expect(stderr).toContain('warning   forms/en.tsv:1: The catalogue has no headword "eat"')
  })

  test('with a broken catalogue, exits with 1, names every fault, prints nothing on stdout and publishes nothing', async () => {
    const folder = await stand()
    const line = (wordId: number, word: string, fields: object = {}) =>
      JSON.stringify({ wordId, word, level: 'A1', ...fields }) + '\n'
    const unknown = line(3, 'x', { level: 'D1' }) + line(4, 'y', { meanings: { de: 'z' } })
    await writeFiles(join(folder, 'src'), {
      'catalogue/en.jsonl': '{\n' + line(1, 'cat') + line(1, 'dog') + line(2, 'CAT') + unknown,
      'catalogue/tr.jsonl': line(1, 'kedi') + line(8, 'ırmak') + line(9, 'IRMAK'),
      'catalogue/turkish.jsonl': '',
    })
    const { code, stdout, stderr } = await run(folder, [...buildArgs, '--json'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const faults = stderr.trim().split('\n')
    expect(faults.pop()).toBe('Build stopped: the catalogue has 8 errors. Nothing was published.')
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([
      ...[1, 3, 4, 5, 6].map((number) => `catalogue/en.jsonl:${number}`),
      ...[1, 3].map((number) => `catalogue/tr.jsonl:${number}`),
      'catalogue/turkish.jsonl',
    ])
    expect(await filesOf(join(folder, 'dist'))).toEqual({})
  })

  test('with --strict, exits with 1 at the first rejected clip', async () => {
    const folder = await stand()
    await writeFiles(join(folder, 'src'), { 'clips/x.json': '{' })
    const { code, stderr } = await run(folder, [...buildArgs, '--strict'])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^clips\/x\.json:1: The record is not valid JSON.*\nBuild stopped: a source clip was rejected \(--strict\). Nothing was published\.\n$/,
    )
    expect(existsSync(join(folder, 'dist/current.json'))).toBe(false)
  })

  test('--replace accepts several ids in any case; an unknown one exits with 1', async () => {
    const folder = await stand()
    await run(folder, buildArgs)
    const changed = clips(10).map((each) => ({ ...each, title: 'New' }))
    await writeSourceFolder(join(folder, 'src'), corpus(changed))
    const unknown = await run(folder, [...buildArgs, '--replace', id('nobody')])
    expect(unknown).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Build stopped: cannot replace ${id('nobody')}: no such clip was ever published here.\n`,
    })
    const two = ['--replace', id('v1').toUpperCase(), '--replace', id('v2')]
    expect(await runJson(folder, [...buildArgs, ...two])).toMatchObject({ changed: 2, kept: 8 })
    const rest = await runJson(folder, [...buildArgs, '--replace-changed'])
    expect(rest).toMatchObject({ changed: 8, kept: 0 })
  })

  test('--max-shrink is 20% by default, and a flag takes precedence over the environment', async () => {
    const folder = await stand()
    await run(folder, buildArgs)
    execFileSync('rm', ['-r', join(folder, 'src/clips')])
    await writeSourceFolder(join(folder, 'src'), corpus(clips(7)))
    const env = { CLIP_LOOKUP_MAX_SHRINK: '30%' }
    const gone = '3 of 10 published clips are gone from the source, which is more than'
    expect(await run(folder, buildArgs)).toEqual(failure(1, `${gone} 20%`))
    expect(await run(folder, [...buildArgs, '--max-shrink', '29%'], env)).toEqual(failure(1, `${gone} 29%`))
    expect(await run(folder, buildArgs, env)).toMatchObject({ code: 0 })
  })

  test.each([
    'build',
    'build --corpus src --max-shrink 20',
    'build --corpus src --embed-url https://example.com/',
    'build --corpus src --embed-url javascript:alert({videoId})',
    'build --corpus src --watch-url file:///{videoId}',
    'build --corpus src --watch-url {videoId}',
  ])('%s exits with 2', async (command) => {
    const folder = await stand()
    expect(await run(folder, command.split(' '))).toMatchObject({ code: 2, stdout: '' })
    expect(existsSync(join(folder, 'dist/current.json'))).toBe(false)
  })

  test('with a SOURCE_DATE_EPOCH that is not a number, exits with 2', async () => {
    expect(await run(await stand(), buildArgs, { SOURCE_DATE_EPOCH: 'now' })).toMatchObject({ code: 2 })
  })

  test('accepts every option as an environment variable, with paths relative to INIT_CWD', async () => {
    const folder = await stand()
    const settings = {
      CLIP_LOOKUP_CORPUS: 'src',
      CLIP_LOOKUP_OUT: 'my tree',
      CLIP_LOOKUP_EMBED_URL: 'https://e.example/{videoId}?poster={videoId}',
      CLIP_LOOKUP_WATCH_URL: 'https://w.example/{videoId}',
      CLIP_LOOKUP_JSON: '1',
      SOURCE_DATE_EPOCH: String(epochS),
    }
    const { code, stdout } = await run(folder, ['build'], settings)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ clips: 10 })
    expect(await readJson(folder, 'my tree/data/clips', `${id('v1')}.json`)).toMatchObject({
      embedUrl: 'https://e.example/v1?poster=v1',
      watchUrl: 'https://w.example/v1',
      indexedAt: '2026-03-01T12:00:00.000Z',
    })
    const elsewhere = await run(folder, ['build', '--out', 'other'], settings)
    expect(elsewhere.code).toBe(0)
    expect(existsSync(join(folder, 'other/current.json'))).toBe(true)
    await writeFiles(join(folder, 'src'), { 'clips/x.json': '{' })
    expect(await run(folder, ['build'], { ...settings, CLIP_LOOKUP_STRICT: '1' })).toMatchObject({ code: 1 })
  })
})

describe('a tree that cannot be written', () => {
  test.each([['file'], ['file/dist']])('%s: exits with 1 and one line, without a stack', async (out) => {
    const folder = await stand()
    await writeFile(join(folder, 'file'), '')
    const outcome = await run(folder, [...buildArgs, '--out', out])
    expect(outcome).toEqual(failure(1, /^Build failed: .*\n$/))
    expect(outcome.stderr).toContain(join(folder, 'file'))
  })

  test('a damaged ledger: exits with 1 and one line, which says how to recover', async () => {
    const folder = await stand()
    await writeFiles(join(folder, 'dist'), { '.build/state.sqlite': 'nonsense'.repeat(100) })
    expect(await run(folder, buildArgs)).toEqual(
      failure(1, /^The ledger of ".*" is damaged: .*releases import-ledger.*build --new-tree.*\n$/),
    )
  })
})

test('builds a corpus without a catalogue, and warns that no word will find its clips', async () => {
  const folder = await stand()
  execFileSync('rm', ['-r', join(folder, 'src/catalogue')])
  const { code, stderr } = await run(folder, buildArgs)
  expect(code).toBe(0)
  expect(stderr).toBe(
    `warning   no catalogue/<language>.jsonl in "${join(folder, 'src')}": no clip can be found by word\n`,
  )
})

test('refuses to build another corpus into a tree, and says what is there and which --out to use', async () => {
  const folder = await stand()
  await run(folder, buildArgs)
  await writeSourceFolder(join(folder, 'films'), corpus([clip('x'), clip('y')]))
  const { code, stderr } = await run(folder, ['build', '--corpus', 'films'])
  const [dist, films] = [join(folder, 'dist'), join(folder, 'films')]
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Build stopped: nothing was published, because "${dist}" was built from another corpus: none of its 10 clips is in "${films}". Build this one into another folder (--out "${dist}-films"), or replace the old corpus (--max-shrink 100%).\n`,
  })
})

test('fails at once if the tree’s file system allows no folder, and says so', async () => {
  const reason =
    'Build failed: cannot make the folder "/proc/x": the file system does not allow a folder there.'
  expect(await run(await stand(), [...buildArgs, '--out', '/proc/x'])).toEqual(failure(1, reason))
})
