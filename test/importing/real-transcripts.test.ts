import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseClip } from '#corpus/parse-clip.ts'
import { findFiles } from '#importing/find-files.ts'
import { importFiles, type ImportReport } from '#importing/import-files.ts'
import { prepareRealTranscripts } from './real-transcripts.ts'

const data = process.env.CLIP_LOOKUP_TEST_DATA

describe.skipIf(!data)(
  `real English transcripts${data ? '' : ' (skipped: CLIP_LOOKUP_TEST_DATA names no test data)'}`,
  () => {
    let folder: string
    let prepared: number
    let report: ImportReport

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'real-transcripts-'))
      prepared = await prepareRealTranscripts(data!, join(folder, 'subtitles'))
      report = await run()
    })
    afterAll(() => rm(folder, { recursive: true }))

    async function run() {
      const path = join(folder, 'subtitles')
      const { files } = await findFiles([{ typed: path, absolute: path }])
      const options = {
        corpus: join(folder, 'corpus'),
        language: 'en',
        overwrite: false,
      }
      return await importFiles(files, { ...options, given: { level: 'B1' } })
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
      for (const name of names) {
        const parsed = parseClip(await readFile(join(clips, name), 'utf8'))
        expect([name, parsed]).toEqual([name, expect.objectContaining({ ok: true })])
      }
    })

    test('a second run changes nothing', async () => {
      expect(await run()).toMatchObject({
        imported: 0,
        unchanged: report.imported,
        rejected: report.rejected,
      })
    })
  },
)
