import fc from 'fast-check'
import * as mediaCaptions from 'media-captions'
import { describe, expect, test } from 'vitest'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { foldBlanks } from '#corpus/import/formats/clean-text.ts'
import { parseLines } from '#corpus/import/formats/parse-lines.ts'
import { cleanCues } from '#corpus/import/formats/clean-cues.ts'
import { roundTime } from '#kit/round.ts'
import { droppedCount } from '../dropped-count.ts'

/** Returns the cues with their lines as one text, or their faults. */
function parse(text: string, format: 'srt' | 'vtt') {
  return parseLines(text, format).cues.map((cue) => {
    if (typeof cue === 'string') return { text: cue }
    return { tStart: cue.tStart, tEnd: cue.tEnd, text: foldBlanks(cue.text) }
  })
}

test.each(['\n', '\r\n', '\r'])('%j ends a line', (end) => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo'
  const cues = parse(text.replaceAll('\n', end), 'srt')
  expect(cues.map((cue) => cue.text)).toEqual(['One', 'Two'])
})

describe('beside media-captions', () => {
  type TheirCue = { startTime: number; endTime: number; text: string }
  // Its types do not resolve under nodenext (1.0.4): they import without extensions.
  const { parseText } = mediaCaptions as unknown as {
    parseText(text: string, options: { type: string }): Promise<{ cues: TheirCue[] }>
  }
  const word = fc.constantFrom('one', 'two.', 'drei', '四つ', 'don’t', '12 a', '#5', 'x=1')
  const cue = fc.record({
    start: fc.integer({ min: 0, max: 170_000 }),
    length: fc.integer({ min: 1, max: 9_999 }),
    lines: fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  })

  test.each(['srt', 'vtt'] as const)('finds the same cues in a well-formed %s file', async (type) => {
    await fc.assert(
      fc.asyncProperty(fc.array(cue), fc.constantFrom('\n', '\r\n'), async (cues, end) => {
        const text = render(type, cues).join(end)
        const theirs = (await parseText(text, { type })).cues
        expect(parse(text, type)).toEqual(
          theirs.map((one) => ({
            tStart: roundTime(one.startTime),
            tEnd: roundTime(one.endTime),
            text: one.text.replaceAll('\n', ' '),
          })),
        )
      }),
    )
  })

  function render(
    type: 'srt' | 'vtt',
    cues: { start: number; length: number; lines: string[][] }[],
  ): string[] {
    const body = cues.flatMap(({ start, length, lines }, i) => {
      const times = [start, start + length].map((ms) => new Date(ms).toISOString().slice(11, 23))
      return [String(i + 1), times.join(' --> '), ...lines.map((line) => line.join(' ')), '']
    })
    return type === 'vtt'
      ? ['WEBVTT', '', ...body]
      : body.map((line) => (line.includes('-->') ? line.replaceAll('.', ',') : line))
  }
})

test('keeps every cue of any text, or drops it with a reason', () => {
  const pieces = '\n|\n\n|1|2| |NOTE|00:01.000|00:00:02,5| --> |-->|text|<c>|<00:01.500>|&amp;'.split('|')
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 60 })
  fc.assert(
    fc.property(texts, fc.constantFrom('srt' as const, 'vtt' as const), (text, format) => {
      const tally = new CueTally()
      const { cues } = parseLines(text.join(''), format)
      const kept = cleanCues(cues, 'en', tally)
      expect(tally.cues.in).toBe(kept.length + droppedCount(tally))
      for (const { text: said, tStart, tEnd } of kept) {
        expect(said.trim()).not.toBe('')
        expect(tEnd).toBeGreaterThanOrEqual(tStart)
      }
    }),
    { numRuns: 500 },
  )
})
