import { expect, test } from 'vitest'
import type { Transcript } from '#contract/transcript.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { tokenise } from '#indexing/tokenise.ts'
import { renderTranscript } from '#rendering/transcript.ts'
import { clip } from '../build/small-corpus.ts'

const bare = { tStart: 0, tEnd: 2, text: 'Hi!' }
const timed = { tStart: 2.00049, tEnd: 4, text: 'Yes.', words: [{ text: 'Yes.', tStart: 2.5, tEnd: 3 }] }

function rendered(cues: SourceClip['cues'], wordIds: number[][][]): Transcript {
  const tokenised = cues.map((cue) => ({ ...cue, tokens: tokenise(cue, 'en') }))
  return renderTranscript(clip('v', '', { cues }), tokenised, wordIds)
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
