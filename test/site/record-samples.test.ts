import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { recordSamples } from '#site/build/record-samples.ts'
import { startSampleService } from '#site/build/sample-service.ts'
import { buildNights } from '../nightly/few-nights.ts'
import { clip, word } from '../nightly/small-corpus.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('refuses a release in which no clip contains a catalogue word, because it has no examples', async () => {
  const folder = tempFolder()
  await buildNights(folder, [{ clips: [clip('one')], words: [word(1, 'zebra')] }])
  const service = await startSampleService(join(folder, 'dist'), folder)
  onTestFinished(() => service.stop())
  const reason = 'its examples need a clip in which a word is said, and the release has none'
  await expect(recordSamples(service)).rejects.toThrow(reason)
})
