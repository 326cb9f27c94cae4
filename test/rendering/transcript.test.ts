import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Transcript } from '#contract/transcript.ts'
import { clipIdOf } from '#corpus/clip-id.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { tokenise } from '#indexing/tokenise.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { CuesJson } from '#rendering/cues-json.ts'
import { writeTranscript } from '#rendering/transcript.ts'
import { clip } from '../build/small-corpus.ts'

const bare = { tStart: 0, tEnd: 2, text: 'Hi!' }
const timed = { tStart: 2.00049, tEnd: 4, text: 'Yes.', words: [{ text: 'Yes.', tStart: 2.5, tEnd: 3 }] }

function render(source: SourceClip, wordIds: number[][][]): string {
  const json = new CuesJson()
  json.write(
    source.cues.map((cue) => ({ ...cue, tokens: tokenise(cue, source.language) })),
    wordIds,
  )
  const out = new ByteWriter()
  writeTranscript(out, source, json)
  return out.view().toString()
}

function rendered(cues: SourceClip['cues'], wordIds: number[][][]): Transcript {
  return JSON.parse(render(clip('v', '', { cues }), wordIds)) as Transcript
}

test('fields are those of the contract in its order; wordIds only where there are any', () => {
  const transcript = rendered([bare, timed], [[[5, 2]], [[]]])
  expect(Object.keys(transcript)).toEqual([
    'clipId',
    'videoId',
    'language',
    'durationS',
    'wordTiming',
    'cues',
  ])
  expect(JSON.stringify(transcript.cues)).toBe(
    JSON.stringify([
      { tStart: 0, tEnd: 2, text: 'Hi!', words: [{ text: 'Hi', tStart: 0, tEnd: 2, wordIds: [5, 2] }] },
      { tStart: 2, tEnd: 4, text: 'Yes.', words: [{ text: 'Yes', tStart: 2.5, tEnd: 3 }] },
    ]),
  )
})

test('timing is measured where every cue has words, interpolated where one has not', () => {
  expect(rendered([timed], [[[]]]).wordTiming).toBe('measured')
  expect(rendered([bare, timed], [[[]], [[]]]).wordTiming).toBe('interpolated')
  expect(rendered([{ ...timed, words: [] } as typeof timed], [[[]]]).wordTiming).toBe('interpolated')
})

test('it is byte for byte what JSON.stringify makes of it', () => {
  const time = fc.integer({ min: 0, max: 1_000_000_000 }).map((ms) => ms / 1000)
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '猫', ' ', '"', '\\', '\n', '😀') })
  const word = fc.record({ text: text.map((inner) => `x${inner}`), tStart: time, tEnd: time })
  const cue = fc.record({
    tStart: time,
    tEnd: time,
    text,
    words: fc.array(word, { minLength: 1, maxLength: 4 }),
  })
  const ids = fc.array(fc.integer({ min: 1, max: 100_000 }), { maxLength: 3 })
  fc.assert(
    fc.property(fc.array(cue, { maxLength: 4 }), ids, (cues, wordIds) => {
      const source = clip('v', '', { cues })
      const words = cues.map((one) => tokenise(one, 'en'))
      const wanted = {
        clipId: clipIdOf(source),
        videoId: 'v',
        language: 'en',
        durationS: source.durationS,
        wordTiming: 'measured',
        cues: cues.map(({ tStart, tEnd, text }, c) => ({
          tStart,
          tEnd,
          text,
          words: words[c]!.map((token) => ({
            text: token.text,
            tStart: token.tStart,
            tEnd: token.tEnd,
            ...(wordIds.length > 0 ? { wordIds } : {}),
          })),
        })),
      }
      const byToken = words.map((tokens) => tokens.map(() => wordIds))
      expect(render(source, byToken)).toBe(JSON.stringify(wanted))
    }),
  )
})
