import fc from 'fast-check'
import * as mediaCaptions from 'media-captions'
import { describe, expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { foldBlanks } from '#importing/formats/clean-text.ts'
import { parseSubtitles } from '#importing/formats/parse-subtitles.ts'
import { prepareCues } from '#importing/formats/prepare-cues.ts'
import { roundTime } from '#kit/round.ts'
import { droppedCount } from '../dropped-count.ts'

/** The cues with their lines as one text, and the faults of those that have one. */
function parse(text: string, format: 'srt' | 'vtt') {
  const cues = parseSubtitles(text, format).cues.map(({ tStart, tEnd, text: said, fault }) =>
    fault ? { fault, text: foldBlanks(said) } : { tStart, tEnd, text: foldBlanks(said) },
  )
  return { cues }
}
const srt = (...lines: string[]) => parse(lines.join('\n'), 'srt')
const vtt = (...lines: string[]) => parse(['WEBVTT', '', ...lines].join('\n'), 'vtt')
const texts = ({ cues }: { cues: { text: string }[] }) => cues.map((cue) => cue.text)

describe('SRT', () => {
  test('gives the times in seconds and the lines as one text', () => {
    const { cues } = srt(
      '1',
      '00:00:01,500 --> 00:00:02,750',
      'Good',
      'morning.',
      '',
      '2',
      '0:01:00.5 --> 0:01:01',
      'Hi.',
    )
    expect(cues).toEqual([
      { tStart: 1.5, tEnd: 2.75, text: 'Good morning.' },
      { tStart: 60.5, tEnd: 61, text: 'Hi.' },
    ])
  })

  test.each(['\n', '\r\n', '\r'])('takes %j for the end of a line', (end) => {
    const text = [
      '1',
      '00:00:01,000 --> 00:00:02,000',
      'One',
      '',
      '2',
      '00:00:02,000 --> 00:00:03,000',
      'Two',
    ].join(end)
    expect(texts(parse(text, 'srt'))).toEqual(['One', 'Two'])
  })

  test('keeps apart cues that no blank line separates', () => {
    expect(
      texts(srt('7', '00:00:01,000 --> 00:00:02,000', 'One', '8', '00:00:02,000 --> 00:00:03,000', 'Two')),
    ).toEqual(['One', 'Two'])
  })

  test('a line of blanks separates, and a blank line inside a cue loses nothing', () => {
    const parsed = srt(
      '1',
      '00:00:01,000 --> 00:00:02,000',
      'One',
      '',
      'and a half',
      '  ',
      '2',
      '00:00:02,000 --> 00:00:03,000',
      'Two',
    )
    expect(texts(parsed)).toEqual(['One and a half', 'Two'])
  })

  test('a number is text where the cues have no numbers', () => {
    expect(
      texts(srt('00:00:01,000 --> 00:00:02,000', 'Room', '101', '00:00:02,000 --> 00:00:03,000', 'Two')),
    ).toEqual(['Room 101', 'Two'])
  })

  test('drops coordinates, and keeps an arrow that somebody wrote', () => {
    expect(texts(srt('1', '00:00:01,000 --> 00:00:02,000 X1:10 Y1:20', 'this --> that'))).toEqual([
      'this --> that',
    ])
  })

  test('keeps cues of no and of negative length as they are', () => {
    expect(
      srt('1', '00:00:01,000 --> 00:00:01,000', 'One', '', '2', '00:00:03,000 --> 00:00:02,000', 'Two').cues,
    ).toEqual([
      { tStart: 1, tEnd: 1, text: 'One' },
      { tStart: 3, tEnd: 2, text: 'Two' },
    ])
  })

  test('keeps the cues without text, for the tally', () => {
    const parsed = srt(
      '1',
      '00:00:01,000 --> 00:00:02,000',
      '',
      '2',
      '00:00:02,000 --> 00:00:03,000',
      '<i> </i>&nbsp;',
      '',
    )
    expect(texts(parsed)).toEqual(['', ''])
  })

  test.each(['00:00:01,000 --> 00:00:1d,000', '00:00:01,000 --> ', '00:61:01,000 --> 00:62:01,000'])(
    'times that cannot be read are the fault of that cue alone: %s',
    (line) => {
      expect(srt('1', line, 'One', '', '2', '00:00:02,000 --> 00:00:03,000', 'Two').cues).toEqual([
        { fault: 'times cannot be read', text: 'One' },
        { tStart: 2, tEnd: 3, text: 'Two' },
      ])
    },
  )

  test('cues that have lost their times are not taken for text of the one before', () => {
    const lines = [
      '1',
      '00:00:01,000 --> 00:00:02,000',
      'One',
      '',
      '2',
      'Two',
      '',
      '3',
      '00:00:03,000 --> 00:00:04,000',
      'Three',
    ]
    expect(srt(...lines).cues).toEqual([
      { tStart: 1, tEnd: 2, text: 'One' },
      { fault: 'no times', text: 'Two' },
      { tStart: 3, tEnd: 4, text: 'Three' },
    ])
  })
})

describe('WebVTT', () => {
  test('drops header, notes, styles, regions, identifiers and settings', () => {
    const parsed = parse(
      [
        'WEBVTT - a title',
        'Kind: captions',
        '',
        'STYLE',
        '::cue { color: lime }',
        '',
        'REGION',
        'id:a',
        '',
        'NOTE nobody says this',
        'nor this',
        '',
        'first',
        '00:01.000 --> 00:02.000 align:start',
        'One',
        '',
        'NOTE',
        '',
        '2',
        '00:00:02.000 --> 00:00:03.000 line:0',
        'Two',
      ].join('\n'),
      'vtt',
    )
    expect(parsed.cues).toEqual([
      { tStart: 1, tEnd: 2, text: 'One' },
      { tStart: 2, tEnd: 3, text: 'Two' },
    ])
  })

  test('a header with nothing after it is no fault', () => {
    expect(parseSubtitles('WEBVTT', 'vtt').cues).toEqual([])
  })

  test('the header tells language, video and kind', () => {
    const header =
      'WEBVTT\nKind: chapters\nLanguage: en-GB\nVideo: -x\n\n00:01.000 --> 00:02.000\nLanguage: tr'
    expect(parseSubtitles(header, 'vtt')).toMatchObject({
      track: 'chapters',
      metadata: { language: 'en-GB', videoId: '-x' },
    })
    expect(parseSubtitles('WEBVTT\nKind: captions', 'vtt').track).toBeUndefined()
  })

  test('text that looks like a setting or begins with NOTE stays', () => {
    expect(
      texts(vtt('00:01.000 --> 00:02.000', 'size: 5', '', '00:02.000 --> 00:03.000', 'NOTE the time')),
    ).toEqual(['size: 5', 'NOTE the time'])
  })

  test('a timing line ends a cue, whatever stands above it', () => {
    expect(texts(vtt('00:01.000 --> 00:02.000', 'One', '00:02.000 --> 00:03.000', 'Two'))).toEqual([
      'One',
      'Two',
    ])
  })

  test('inline times become words', () => {
    const text = [
      'WEBVTT',
      '',
      '00:00:00.650 --> 00:00:03.409',
      ' ',
      'Well<00:00:01.650><c> I&#39;m</c><00:00:02.280><c> back</c>',
    ].join('\n')
    expect(prepareCues(parseSubtitles(text, 'vtt').cues, 'en', new CueTally())).toEqual([
      {
        tStart: 0.65,
        tEnd: 3.409,
        text: "Well I'm back",
        words: [
          { text: 'Well', tStart: 0.65, tEnd: 1.65 },
          { text: "I'm", tStart: 1.65, tEnd: 2.28 },
          { text: 'back', tStart: 2.28, tEnd: 3.409 },
        ],
      },
    ])
  })
})

describe('beside media-captions', () => {
  interface TheirCue {
    startTime: number
    endTime: number
    text: string
  }
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
        expect(parse(text, type).cues).toEqual(
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

test('of any text every cue is kept or dropped with a reason', () => {
  const piece = fc.constantFrom(
    '\n',
    '\n\n',
    '1',
    '2',
    ' ',
    'NOTE',
    '00:01.000',
    '00:00:02,5',
    ' --> ',
    '-->',
    'text',
    '<c>',
    '<00:01.500>',
    '&amp;',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.constantFrom('srt' as const, 'vtt' as const),
      (pieces, format) => {
        const tally = new CueTally()
        const { cues } = parseSubtitles(pieces.join(''), format)
        const kept = prepareCues(cues, 'en', tally)
        expect(tally.cuesIn).toBe(kept.length + droppedCount(tally))
        for (const { text, tStart, tEnd } of kept) {
          expect(text.trim()).not.toBe('')
          expect(tEnd).toBeGreaterThanOrEqual(tStart)
        }
      },
    ),
    { numRuns: 500 },
  )
})
