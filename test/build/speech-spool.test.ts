import { expect, test } from 'vitest'
import { makeSegment, SpeechSpool } from '#build/speech-spool.ts'
import { tempFolder } from '../harness/temp-folder.ts'

function clipOf(ordinal: number) {
  const clip = { ordinal, clipId: `${ordinal}0000000-0000-5000-8000-000000000000`, level: ordinal % 6 }
  const speech = { lines: `Clip\nis ${ordinal}\n`, words: [0, 7], forms: [7, 'Clip', 8, `is ${ordinal}`] }
  return [clip, speech] as const
}

test('a segment is the same whatever workers put its clips in whatever order', () => {
  const [one, other] = [tempFolder(), tempFolder()]
  const alone = new SpeechSpool(one, 0, 4)
  for (const ordinal of [4, 5, 7]) alone.put('en', ...clipOf(ordinal))
  alone.end()
  const spools = [0, 1].map((worker) => new SpeechSpool(other, worker, 4))
  for (const [i, ordinal] of [9, 7, 5, 3, 4].entries()) spools[i % 2]!.put('en', ...clipOf(ordinal))
  spools[0]!.put('es', ...clipOf(6))
  for (const spool of spools) spool.end()

  const range = { language: 'en', range: 1 }
  const made = makeSegment(one, range, 1, 4)
  expect(makeSegment(other, range, 2, 4)).toEqual(made)
  expect(made.entry).toMatchObject({ language: 'en', firstOrdinal: 4, clips: 3, tokens: 6 })
  expect(made.heard.get(8)).toEqual(new Set(['is 4', 'is 5', 'is 7']))
  expect(makeSegment(other, { language: 'en', range: 0 }, 2, 4).entry).toMatchObject({
    firstOrdinal: 0,
    clips: 1,
  })
})
