import { execFileSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parseClip } from '#corpus/source-clip.ts'
import { indexDescriptions } from '#corpus/import/video/metadata-table.ts'
import { findFiles } from '#corpus/import/find-files.ts'
import { importFiles, type ImportOptions, type ImportReport } from '#corpus/import/import-files.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const fixtures = join(import.meta.dirname, '../../fixtures/subtitles')
let folder: string

beforeEach(() => void (folder = tempFolder()))

const at = (...path: string[]) => join(folder, ...path)
const clipPath = (name: string) => at('corpus', 'clips', 'en', name)
const find = (...paths: string[]) =>
  findFiles(paths.map((path) => ({ argument: path.replace(`${folder}/`, ''), absolute: path })))

async function run(paths: string[], options: Partial<ImportOptions> = {}) {
  const flagValues = { level: 'B1', ...options.flagValues }
  const rest = { corpus: at('corpus'), language: 'en', overwrite: false, ...options }
  const { files, metadata } = await find(...paths)
  const descriptions = indexDescriptions(metadata)
  return await importFiles(files, { descriptions, ...rest, flagValues })
}

/** Returns the reasons for rejecting or skipping files, by their names. */
const reasons = (report: ImportReport) =>
  report.files.filter((file) => file.reason).map(({ file, reason }) => [file, reason])

async function readClip(name: string) {
  const parsed = parseClip(await readFile(clipPath(name), 'utf8'))
  return parsed.ok ? parsed.value : parsed
}

/** Writes an SRT file with one cue, and its sidecar. */
async function writeSubtitles(name: string, videoId: string, text = 'Good morning.') {
  await mkdir(at('subtitles'), { recursive: true })
  await writeFile(at('subtitles', `${name}.srt`), `1\n00:00:00,000 --> 00:00:01,000\n${text}\n`)
  await writeFile(
    at('subtitles', `${name}.json`),
    JSON.stringify({ videoId, title: 'T', channel: { id: 'c', name: 'C' } }),
  )
}

describe('the fixtures', () => {
  test('each format becomes a clip with the metadata from its sidecar', async () => {
    const paths = ['bakery.en.vtt', 'market.SRT', 'lighthouse.json'].map((name) => join(fixtures, name))
    const report = await run(paths, { flagValues: { level: undefined } })
    expect(report).toMatchObject({ imported: 2, rejected: 1 })
    expect(report.files[0]!.reason).toContain('has no level. Give --level')
    expect(await readClip('market_1.json')).toEqual({
      videoId: 'market_1',
      title: 'Cherries',
      language: 'en',
      level: 'A1',
      durationS: 6,
      channel: { id: 'UCkitchen', name: 'Kitchen Table' },
      cues: [
        { tStart: 0.5, tEnd: 2, text: 'How much are the cherries?' },
        { tStart: 2, tEnd: 4.5, text: '3 euros – a kilo' },
        { tStart: 4.5, tEnd: 6, text: 'A café --> over there' },
      ],
    })
    expect(await readClip('-Light_house.json')).toMatchObject({
      durationS: 30,
      cues: [{ text: 'The lighthouse stands.' }, { text: 'It is 30.5 metres' }, { text: 'high' }],
    })
  })

  test('yt-dlp: ignores the file’s language tag when it looks for the info file', async () => {
    const expected = { imported: 1, cues: { in: 4, out: 3, dropped: { 'no text': 1 } } }
    expect(await run([join(fixtures, 'bakery.en.vtt')])).toMatchObject(expected)
    const words = ['Still', 'warm', 'from', 'the', 'oven'].map((text) => ({ text }))
    expect(await readClip('b4keryRolls.json')).toMatchObject({
      level: 'B1',
      durationS: 10,
      channel: { id: 'UCkitchen', name: 'Kitchen Table' },
      cues: [
        { text: 'Good morning! Two rolls, please & a coffee.' },
        { text: 'Still warm from the oven', words },
        { tStart: 6, tEnd: 8.25, text: 'size: small or <pad> large?' },
      ],
    })
  })

  test('repairs what it can, and reports each repair', async () => {
    const report = await run([join(fixtures, 'repaired')])
    expect(report).toMatchObject({ imported: 3, skipped: 0, rejected: 0 })
    expect(report.files).toMatchObject([
      { videoId: 'backwards', repairs: { 'end before start: set to the next cue': 1 } },
      { videoId: 'latin1', encoding: 'windows-1252' },
      { videoId: 'misnamed', format: 'sbv', encoding: 'utf-8' },
    ])
    expect(await readClip('latin1.json')).toMatchObject({ cues: [{ text: 'Café.' }] })
    expect(await readClip('backwards.json')).toMatchObject({ cues: [{ tStart: 5, tEnd: 7 }] })
  })

  test('walks a folder, does not take metadata for subtitles, and reports a reason for each rejection', async () => {
    await cp(fixtures, at('subtitles'), { recursive: true })
    const told: string[] = []
    const report = await run([at('subtitles')], { onFile: ({ file }) => told.push(file) })
    expect(report).toMatchObject({ imported: 6, skipped: 1, unchanged: 0, rejected: 5 })
    const missing = 'has no video id, title, channel id or channel name. Give --name-pattern, --channel-id'
    expect(
      reasons(report).map(([file, reason]) => [file!.replace('subtitles/refused/', ''), reason]),
    ).toEqual([
      ['cut.srt', expect.stringMatching(/^has a sidecar cut\.json that is not valid JSON: /)],
      ['empty.srt', 'is empty'],
      ['greeting.es.srt', 'is in "es" according to its name. Import it with --language es'],
      ['no-metadata.srt', expect.stringContaining(missing)],
      ['nothing-said.vtt', 'contains no cues'],
      ['too-long.srt', 'cannot become a clip: durationS is 184 s, but a clip can last at most 180 s'],
    ])
    expect(told).toEqual(report.files.map(({ file }) => file))
  })
})

test('a second run writes nothing, and two runs from scratch write the same bytes', async () => {
  await run([fixtures])
  const bytes = await readFile(clipPath('b4keryRolls.json'))
  expect(await run([fixtures])).toMatchObject({ imported: 0, skipped: 7, unchanged: 6 })
  await rm(at('corpus'), { recursive: true })
  await run([fixtures])
  expect(await readFile(clipPath('b4keryRolls.json'))).toEqual(bytes)
  const ids = ['-Light_house', 'b4keryRolls', 'backwards', 'latin1', 'market_1', 'misnamed']
  expect((await readdir(clipPath('.'))).sort()).toEqual(ids.map((id) => `${id}.json`))
})

test('replaces a clip that differs only if told to', async () => {
  await writeSubtitles('one', 'v')
  await run([at('subtitles')])
  await writeSubtitles('one', 'v', 'Good evening.')
  const refused = await run([at('subtitles')])
  const expected = 'clips/en/v.json is another clip of this video. To replace it, add --overwrite'
  expect(refused.files[0]!.reason).toBe(expected)
  expect(await readClip('v.json')).toMatchObject({ cues: [{ text: 'Good morning.' }] })
  expect(await run([at('subtitles')], { overwrite: true })).toMatchObject({ imported: 1, rejected: 0 })
  expect(await readClip('v.json')).toMatchObject({ cues: [{ text: 'Good evening.' }] })
})

test('skips the second of two files for one video', async () => {
  await writeSubtitles('a', 'v')
  await writeSubtitles('b', 'v', 'Good evening.')
  const report = await run([at('subtitles')], { overwrite: true })
  expect(report).toMatchObject({ imported: 1, skipped: 1 })
  expect(reasons(report)).toEqual([
    [
      'subtitles/b.srt',
      'belongs to the video v, which was already imported from subtitles/a.srt in this run',
    ],
  ])
})

test('refuses a video that the corpus has in another language', async () => {
  await writeSubtitles('a', 'v')
  await run([at('subtitles')], { language: 'es' })
  const report = await run([at('subtitles')])
  const expected = 'belongs to the video v, which is already in the corpus in clips/es/v.json'
  expect(report.files[0]!.reason).toBe(expected)
})

test('ids that differ only in case get names that also differ on case-insensitive file systems', async () => {
  await writeSubtitles('a', 'Abc-1')
  await writeSubtitles('b', 'aBC-1')
  expect(await run([at('subtitles')])).toMatchObject({ imported: 2 })
  const names = await readdir(clipPath('.'))
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(2)
  expect(names).toContain('Abc-1.json')
  expect(await run([at('subtitles')])).toMatchObject({ unchanged: 2 })
  expect(await run([at('subtitles', 'b.srt')])).toMatchObject({ unchanged: 1 })
})

test('rejects a path that does not exist and imports the others', async () => {
  await writeSubtitles('a', 'v')
  const report = await run([at('nowhere.srt'), at('subtitles')])
  expect(report.imported).toBe(1)
  expect(reasons(report)).toEqual([['nowhere.srt', 'does not exist']])
})

test('rejects a file that crashes its parser, and imports the others', async () => {
  await writeSubtitles('a', 'v', 'x '.repeat(5_000_000))
  await writeSubtitles('b', 'w')
  await writeFile(at('subtitles', 'c.srv1'), `<timedtext>${'<p>'.repeat(300_000)}`)
  expect(await run([at('subtitles')])).toMatchObject({
    imported: 1,
    files: [
      { outcome: 'rejected', reason: 'has no usable cues: 1 × longer than 10,000 characters' },
      { outcome: 'imported' },
      { outcome: 'rejected', reason: 'has elements nested more than 100 levels deep' },
    ],
  })
})

describe('finding files', () => {
  const shown = async (...paths: string[]) => (await find(...paths)).files.map((file) => file.shownPath)

  test('recognises YouTube captions by any of their extensions', async () => {
    await mkdir(at('subtitles'))
    for (const name of ['a.ytt', 'b.srv1', 'c.srv3', 'd.ttml', 'e.png', 'f.itt'])
      await writeFile(at('subtitles', name), '')
    const names = ['a.ytt', 'b.srv1', 'c.srv3', 'd.ttml', 'f.itt'].map((name) => join('subtitles', name))
    expect(await shown(at('subtitles'))).toEqual(names)
  })

  test('lists a file that two paths reach once, and walks folders in order', async () => {
    await writeSubtitles('b', 'v')
    await writeSubtitles('a', 'w')
    const found = await shown(at('subtitles', 'b.srt'), at('subtitles'))
    expect(found).toEqual(['subtitles/b.srt', 'subtitles/a.srt'])
  })

  test('follows links inside the folder, lists each file once, and skips links out of it', async () => {
    await writeSubtitles('a', 'v')
    await writeFile(at('outside.srt'), 'x')
    await symlink('.', at('subtitles', 'itself'))
    await symlink('a.srt', at('subtitles', 'again.srt'))
    await mkdir(at('subtitles', '.store'))
    await writeFile(at('subtitles', '.store', '5f3a'), 'x')
    await symlink('.store/5f3a', at('subtitles', 'b.srt'))
    await symlink('../outside.srt', at('subtitles', 'c.srt'))
    await symlink('..', at('subtitles', 'd'))
    await symlink('nowhere.srt', at('subtitles', 'e.srt'))
    const { files } = await find(at('subtitles'))
    expect(files.map(({ shownPath, skip }) => [shownPath, skip])).toEqual([
      ['subtitles/a.srt', undefined],
      ['subtitles/b.srt', undefined],
      ['subtitles/c.srt', 'is a link to a place outside the folder. Name the target of the link instead'],
      ['subtitles/d', 'is a link to a place outside the folder. Name the target of the link instead'],
      ['subtitles/e.srt', 'does not exist'],
    ])
  })

  test('accepts names with brackets, spaces and a leading hyphen', async () => {
    const name = '-odd [folder] (1)/-x [y] {z}.en.srt'
    await mkdir(at('-odd [folder] (1)'))
    await writeFile(at(name), 'x')
    expect(await shown(at('-odd [folder] (1)'))).toEqual([name])
  })

  test('includes other formats, but no films, hidden files or clips of a corpus', async () => {
    for (const name of ['a.sbv', 'B.VTT', 'film.mp4', '.hidden.srt', 'page.html'])
      await writeFile(at(name), 'x')
    await writeFile(at('whisper.json'), '{"segments": []}')
    await writeFile(at('clip.json'), '{"videoId": "v", "cues": []}')
    expect(await shown(folder)).toEqual(['B.VTT', 'a.sbv', 'whisper.json'].map((name) => at(name)))
  })

  test('imports both subtitles and a transcript with the name of their sidecar', async () => {
    await writeFile(at('a.srt'), 'x')
    for (const field of ['segments', 'events', 'transcription', 'words', 'word_segments']) {
      await writeFile(at('a.json'), `\ufeff{"${field}": []}`)
      expect(await shown(folder)).toEqual([at('a.json'), at('a.srt')])
    }
    await writeFile(at('a.json'), '{"words": 3}')
    expect(await shown(folder)).toEqual([at('a.srt')])
  })
})

describe('what is not a regular file', () => {
  test('does not read a pipe or a device, whether named, linked or beside a subtitle file', async () => {
    await writeSubtitles('one', 'video_1')
    await writeSubtitles('two', 'video_2')
    execFileSync('mkfifo', [at('pipe.srt')])
    await symlink(at('pipe.srt'), at('subtitles/linked.srt'))
    await symlink('/dev/zero', at('subtitles/zero.vtt'))
    await rm(at('subtitles/two.json'))
    execFileSync('mkfifo', [at('subtitles/two.json')])
    const report = await run([at('subtitles'), at('pipe.srt'), '/dev/zero'])
    const outside = 'is a link to a place outside the folder. Name the target of the link instead'
    expect(reasons(report)).toEqual([
      ['subtitles/linked.srt', outside],
      ['subtitles/two.json', 'is not a regular file'],
      ['subtitles/two.srt', expect.stringContaining('has no video id')],
      ['subtitles/zero.vtt', outside],
      ['pipe.srt', 'is not a regular file'],
      ['/dev/zero', 'is not a regular file'],
    ])
    expect(report.imported).toBe(1)
  })

  test('skips and reports a sidecar behind a link out of the folder', async () => {
    await writeSubtitles('one', 'video_1')
    await rename(at('subtitles/one.json'), at('outside.json'))
    await symlink(at('outside.json'), at('subtitles/one.json'))
    const report = await run([at('subtitles')])
    expect(reasons(report)).toEqual([
      ['subtitles/one.json', 'is a link to a place outside the folder. Name the target of the link instead'],
      ['subtitles/one.srt', expect.stringContaining('has no video id')],
    ])
  })
})
