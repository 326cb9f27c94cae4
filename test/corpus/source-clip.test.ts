import { describe, expect, test } from 'vitest'
import { clipIdOf, guessVideo, parseClip } from '#corpus/source-clip.ts'
import { clip } from '../nightly/small-corpus.ts'

const cue = { tStart: 0, tEnd: 4, text: 'Hi.' }
const timed = (tStart: number, tEnd: number) => ({ tStart, tEnd, text: 'Hi.' })
const inCue = (change: object) => ({ cues: [{ ...cue, ...change }] })
const parse = (change: object) => parseClip(JSON.stringify({ ...clip('v'), ...change }))

test('accepts a valid clip, without its unknown fields', () => {
  expect(parse({ notes: 'x' })).toEqual({ ok: true, value: clip('v') })
})

function refuses(change: object, field: string, reason: unknown): void {
  expect(parse(change)).toEqual({ ok: false, field, reason })
}

const videoIds = 'must be 1 to 64 characters from A-Z, a-z, 0-9, _ and -'
const levels = 'must be one of A1, A2, B1, B2, C1, C2'

test.each<[object, string, string]>([
  [{ title: undefined }, 'title', 'is missing'],
  [{ title: 5 }, 'title', 'must be a string'],
  [{ title: '  ' }, 'title', 'must not be empty'],
  [{ videoId: 'a b' }, 'videoId', videoIds],
  [{ videoId: 'v'.repeat(65) }, 'videoId', videoIds],
  [{ language: 'EN' }, 'language', 'must be two letters a-z'],
  [{ level: 'D1' }, 'level', levels],
  [{ level: 'a1' }, 'level', levels],
  [{ level: undefined }, 'level', 'is missing'],
  [{ durationS: 181 }, 'durationS', 'is 181 s, but a clip can last at most 180 s'],
  [{ durationS: 12.5 }, 'durationS', 'must be a whole number of seconds'],
  [{ durationS: '12' }, 'durationS', 'must be a whole number of seconds'],
  [{ durationS: 0 }, 'durationS', 'must be at least 1 s'],
  [{ channel: null }, 'channel', 'must be an object'],
  [{ channel: { id: 'c' } }, 'channel.name', 'is missing'],
  [{ clipId: 'x' }, 'clipId', 'must be a UUID'],
  [{ title: 'a\0b' }, 'title', 'contains the character U+0000'],
  [{ channel: { id: 'c', name: '\ud83d' } }, 'channel.name', 'contains the lone surrogate U+D83D'],
  [{ cues: [cue, { ...cue, text: 7 }] }, 'cues[1].text', 'must be a string'],
  [
    { cues: [timed(3, 4), timed(2, 4)] },
    'cues[1].tStart',
    'is 2 s, before the start of the previous cue (3 s)',
  ],
])('refuses %j and names its field', refuses)

const wayPast = 'more than 1 s after the end of the clip (10 s)'

test.each<[object, string, string]>([
  [{ tStart: -1 }, 'tStart', 'must not be negative'],
  [timed(2, 1), 'tEnd', 'is 1 s, before tStart (2 s)'],
  [{ tEnd: 11.001 }, 'tEnd', `is 11.001 s, ${wayPast}`],
  [{ text: 'Hi.\udc00' }, 'text', 'contains the lone surrogate U+DC00'],
  [{ text: `e${'\u0301'.repeat(31)}` }, 'text', 'has more than 30 combining marks in a row'],
  [{ translations: 'Hola.' }, 'translations', 'must be an object with a text for each language'],
])('refuses a cue with %j and names its field', (change, field, reason) =>
  refuses(inCue(change), `cues[0].${field}`, reason),
)

test.each<[object, string, string]>([
  [{ en: 'Hi.' }, 'en', 'must be omitted, because it is the language of the clip'],
  [{ es: ' ' }, 'es', 'must not be empty'],
  [{ es: 'x'.repeat(501) }, 'es', 'is 501 characters long, but at most 500 are allowed'],
  [{ es: 7 }, 'es', 'must be a string'],
  [{ ESP: 'Hola.' }, 'ESP', 'must have two-letter language codes (a-z) as keys'],
])('refuses the translations %j and names their field', (translations, field, reason) =>
  refuses(inCue({ translations }), `cues[0].translations.${field}`, reason),
)

test.each<[object, string, string]>([
  [{ tEnd: undefined }, 'tEnd', 'is missing'],
  [timed(2, 1), 'tEnd', 'is 1 s, before tStart (2 s)'],
  [{ tStart: -1 }, 'tStart', 'must not be negative'],
  [{ tEnd: 190 }, 'tEnd', `is 190 s, ${wayPast}`],
  [{ tEnd: '2' }, 'tEnd', 'must be a number of seconds'],
  [{ lemma: 'hi\0' }, 'lemma', 'contains the character U+0000'],
])('refuses a word with %j and names its field', (change, field, reason) =>
  refuses(inCue({ words: [{ ...timed(1, 2), ...change }] }), `cues[0].words[0].${field}`, reason),
)

const longCues = Array(4).fill({ ...cue, text: 'x '.repeat(4_000) })

test.each<[string, object, string, string]>([
  ['text', inCue({ text: 'x'.repeat(10_001) }), '[0].text', 'is 10001 characters long, but at most 10000'],
  ['marks', inCue({ text: '\u0301\u0323'.repeat(150_000) }), '[0].text', 'is 300000 characters long'],
  [
    'words',
    inCue({ words: Array(5_001).fill(timed(0, 1)) }),
    '[0].words',
    'has 5001 words, but at most 5000',
  ],
  ['speech', { cues: longCues }, '[3]', 'makes the text of the clip longer than 30000 characters'],
])('refuses too much %s and names its field', (_, change, field, reason) =>
  refuses(change, `cues${field}`, expect.stringContaining(reason)),
)

test('accepts 180 s, a cue just 1 s past the clip, overlapping and instant cues', () => {
  const change = { durationS: 180, cues: [timed(0, 100), timed(0, 5), timed(7, 7), timed(8, 181)] }
  expect(parse(change)).toMatchObject({ ok: true })
})

test('turns text into NFC, trims names, and writes a clipId in lower case', () => {
  const clipId = 'ABCDEF00-0000-4000-8000-000000000001'
  const cues = [{ tStart: 0, tEnd: 1, text: 'cafe\u0301' }]
  expect(parse({ title: ' e\u0301 ', clipId, cues })).toMatchObject({
    value: { title: 'é', clipId: clipId.toLowerCase(), cues: [{ text: 'café' }] },
  })
})

test.each(['null', '[]', '7', '"clip"'])('%s is not a clip', (text) => {
  expect(parseClip(text)).toMatchObject({ ok: false, reason: 'the record must be an object' })
})

describe('a truncated text', () => {
  const text = JSON.stringify(clip('v'))

  test('is never valid JSON, wherever it ends', () => {
    for (let end = 0; end < text.length; end++)
      expect(parseClip(text.slice(0, end))).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^the record is not valid JSON: /),
      })
  })

  test('still gives its video, once that is complete', () => {
    expect(guessVideo(text.slice(0, 30))).toEqual({ videoId: 'v' })
    expect(guessVideo('{"videoId":"v')).toEqual({})
  })
})

test('without a clipId it is the UUIDv5 of the watch address in the URL namespace', () => {
  // python3 -c "import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL,
  // 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'))"
  expect(clipIdOf({ videoId: 'dQw4w9WgXcQ' })).toBe('fa678091-b771-53c5-bb5c-b97259498be6')
  const clipId = '00000000-0000-4000-8000-000000000001'
  expect(clipIdOf({ videoId: 'v', clipId })).toBe(clipId)
})
