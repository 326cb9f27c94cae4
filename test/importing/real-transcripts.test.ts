import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseClip } from '#corpus/parse-clip.ts'
import { findFiles } from '#importing/find-files.ts'
import { importFiles, type ImportReport } from '#importing/import-files.ts'
import { describeRealData } from '../harness/real-data.ts'
import { prepareRealTranscripts } from './real-transcripts.ts'

describeRealData('real English transcripts', (data) => {
  let folder: string
  let prepared: number
  let report: ImportReport

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'real-transcripts-'))
    prepared = await prepareRealTranscripts(data, join(folder, 'subtitles'))
    report = await run()
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function run() {
    const path = join(folder, 'subtitles')
    const { files } = await findFiles([{ typed: path, absolute: path }])
    const corpus = join(folder, 'corpus')
    return await importFiles(files, { corpus, language: 'en', overwrite: false, given: { level: 'B1' } })
  }

  test('at least 100 become clips, and every other one has a reason', () => {
    expect(report.imported).toBeGreaterThanOrEqual(100)
    expect(report.imported + report.skipped + report.rejected).toBe(prepared)
    for (const { file, outcome, reason = '' } of report.files)
      expect([file, outcome === 'imported' || reason.length > 5]).toEqual([file, true])
  })

  test('the source corpus takes every clip that was written', async () => {
    const clips = join(folder, 'corpus', 'clips', 'en')
    const names = await readdir(clips)
    expect(names).toHaveLength(report.imported)
    for (const name of names)
      expect(parseClip(await readFile(join(clips, name), 'utf8')), name).toMatchObject({ ok: true })
  })

  test('a second run changes nothing', async () => {
    const { imported: unchanged, rejected } = report
    expect(await run()).toMatchObject({ imported: 0, unchanged, rejected })
  })
})
