import { describe, expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { parseFile } from '#importing/formats/parse-file.ts'

/** The cues of a text, and what is reported of them. */
function read(text: string, language = 'en') {
  const tally = new CueTally()
  const file = parseFile(Buffer.from(text), language, tally)
  return { ...file, tally: tally.summary() }
}
const spans = (text: string, language?: string) =>
  read(text, language).cues.map((cue) => [cue.tStart, cue.tEnd, cue.text])
const words = (text: string, language?: string) =>
  read(text, language).cues.flatMap((cue) =>
    (cue.words ?? []).map((word) => [word.text, word.tStart, word.tEnd]),
  )

describe('lines of times', () => {
  test('SBV: start and end, text in lines', () => {
    const text = '0:00:01.000,0:00:02.500\r\nGood\r\nmorning.\r\n\r\n0:00:03.000,0:00:04.000\r\nHi.\r\n'
    expect(spans(text)).toEqual([
      [1, 2.5, 'Good morning.'],
      [3, 4, 'Hi.'],
    ])
  })

  test('SBV: a time that cannot be read costs that cue alone', () => {
    const found = read('0:00:01.f00,0:00:02.500\nOne\n\n0:00:03.000,0:00:04.000\nTwo')
    expect(found.tally.cues).toEqual({ in: 2, out: 1, dropped: { 'times cannot be read': 1 } })
  })

  test('starts alone: each cue lasts until the next', () => {
    expect(spans('00:00:01.000\nGood morning.\n\n00:00:02.500\nHi.')).toEqual([
      [1, 2.5, 'Good morning.'],
      [2.5, 4.5, 'Hi.'],
    ])
  })

  test('frame codes, with text behind or below', () => {
    expect(spans('*TC 00:00:02;24\nGood\nmorning.\n\n*TC 00:00:04:00Hi.\n\n*TC 00:00:05;99\nNo.')).toEqual([
      [2.801, 4, 'Good morning.'],
      [4, 6, 'Hi.'],
    ])
  })

  test('Whisper TSV: milliseconds', () => {
    expect(spans('start\tend\ttext\n0\t1500\tGood morning.\n1500\t2000\tHi.\n')).toEqual([
      [0, 1.5, 'Good morning.'],
      [1.5, 2, 'Hi.'],
    ])
  })
})

describe('YouTube', () => {
  const event = (tStartMs: number, dDurationMs: number, ...segs: [string, number?][]) => ({
    tStartMs,
    dDurationMs,
    segs: segs.map(([utf8, tOffsetMs]) => ({ utf8, ...(tOffsetMs === undefined ? {} : { tOffsetMs }) })),
  })

  test('json3: automatic captions time their words, and overlap', () => {
    const json = JSON.stringify({
      wireMagic: 'pb3',
      events: [
        { tStartMs: 0, dDurationMs: 9000, id: 1 },
        event(1000, 4000, ['the'], [' ferry', 300], [' leaves', 900]),
        event(2990, 2010, ['\n']),
        event(3000, 4000, ['at'], [' noon', 400]),
        event(4990, 2010, ['\n']),
        event(5000, 4000, ['[Music]']),
        event(6000, 3000, ['every'], [' day', 500]),
        event(7000, 3000, ['or'], [' so', 500]),
      ],
    })
    const found = read(json)
    expect(found.tally.cues).toEqual({ in: 7, out: 4, dropped: { 'no text': 2, 'not speech': 1 } })
    expect(found.cues.map(({ tStart, tEnd, text }) => [tStart, tEnd, text])).toEqual([
      [1, 3, 'the ferry leaves'],
      [3, 6, 'at noon'],
      [6, 7, 'every day'],
      [7, 10, 'or so'],
    ])
    expect(words(json).slice(0, 4)).toEqual([
      ['the', 1, 1.3],
      ['ferry', 1.3, 1.9],
      ['leaves', 1.9, 3],
      ['at', 3, 3.4],
    ])
  })

  test('json3: captions by a person have no word times', () => {
    const found = read(JSON.stringify({ events: [event(0, 2000, ['Good\nmorning.'])] }))
    expect(found.cues).toEqual([{ tStart: 0, tEnd: 2, text: 'Good morning.' }])
  })

  test('srv3 times its words as json3 does', () => {
    const xml = `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><ws id="0"/></head><body>
<w t="0" id="1" wp="1" ws="1"/>
<p t="1000" d="2000" w="1"><s ac="0">it&#39;s</s><s t="500" ac="0"> noon</s></p>
<p t="2990" d="10" w="1" a="1">
</p></body></timedtext>`
    expect(words(xml)).toEqual([
      ["it's", 1, 1.5],
      ['noon', 1.5, 3],
    ])
    expect(read(xml).tally.cues).toEqual({ in: 2, out: 1, dropped: { 'no text': 1 } })
  })

  test('srv1 and srv2: markup inside is escaped', () => {
    const srv1 =
      '<transcript><text start="0.5" dur="1.5">this &amp;amp; &lt;i&gt;that&lt;/i&gt;</text></transcript>'
    expect(spans(srv1)).toEqual([[0.5, 2, 'this & that']])
    expect(spans('<timedtext><text t="500" d="1500">this</text></timedtext>')).toEqual([[0.5, 2, 'this']])
  })

  test('TTML', () => {
    const ttml = `<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div>
<p begin="00:00:00.500" end="00:00:02.000">Good<br/>morning.</p><p begin="2s" dur="500ms">Hi.</p></div></body></tt>`
    expect(spans(ttml)).toEqual([
      [0.5, 2, 'Good morning.'],
      [2, 2.5, 'Hi.'],
    ])
  })

  test('XML that is cut short keeps the cues before the cut', () => {
    const xml = '<timedtext format="3"><body><p t="0" d="1000">Good</p><p t="1000" d="500">mor'
    expect(spans(xml)).toEqual([
      [0, 1, 'Good'],
      [1, 1.5, 'mor'],
    ])
  })
})

test('RealText, whose times have no end tag', () => {
  const text = `<window bgcolor="black"><font size="4"><center>
<time begin="00:00:01.0" end="00:00:02.0">
<i>Good morning.</i>
<time begin="00:00:02.0" end="00:00:03.0"/> Hi.</center></font></window>`
  expect(spans(text)).toEqual([
    [1, 2, 'Good morning.'],
    [2, 3, 'Hi.'],
  ])
})

describe('Whisper', () => {
  const segment = (more: object) => ({ start: 0.5, end: 2, text: ' Good morning.', ...more })

  test('its own JSON, with and without words', () => {
    expect(spans(JSON.stringify({ language: 'en', segments: [segment({})] }))).toEqual([
      [0.5, 2, 'Good morning.'],
    ])
    const timed = segment({
      words: [
        { word: ' Good', start: 0.5, end: 1, probability: 0.9 },
        { word: ' morning.', start: 1.2, end: 2.1, probability: 0.9 },
      ],
    })
    expect(words(JSON.stringify({ segments: [timed] }))).toEqual([
      ['Good', 0.5, 1],
      ['morning.', 1.2, 2.1],
    ])
  })

  test('whisper-timestamped calls its words text, and its languages by name', () => {
    const timed = segment({
      words: [
        { text: 'Good', start: 0.5, end: 1 },
        { text: 'morning.', start: 1, end: 2 },
      ],
    })
    const found = read(JSON.stringify({ language: 'English', segments: [timed] }))
    expect(found.metadata).toEqual({ language: 'English' })
    expect(found.cues[0]!.words).toHaveLength(2)
  })

  test('WhisperX leaves out times that it could not find', () => {
    const timed = segment({
      text: 'In 2014 then',
      words: [
        { word: 'In', start: 0.5, end: 1, score: 0.5 },
        { word: '2014' },
        { word: 'then', start: 1.5, end: 2 },
      ],
    })
    const json = JSON.stringify({ segments: [timed], word_segments: [] })
    expect(words(json)).toEqual([
      ['In', 0.5, 1],
      ['2014', 1, 1.5],
      ['then', 1.5, 2],
    ])
    expect(read(json).tally.repairs).toEqual({ 'word without times: interpolated': 1 })
  })

  test('whisper.cpp gives milliseconds, and tokens that are parts of words', () => {
    const token = (text: string, from: number, to: number) => ({ text, offsets: { from, to } })
    const json = JSON.stringify({
      result: { language: 'en' },
      transcription: [
        {
          timestamps: { from: '00:00:00,500', to: '00:00:02,000' },
          offsets: { from: 500, to: 2000 },
          text: ' Good morning.',
          tokens: [
            token('[_BEG_]', 0, 0),
            token(' Good', 500, 1000),
            token(' morn', 1000, 1500),
            token('ing.', 1500, 2000),
          ],
        },
      ],
    })
    expect(words(json)).toEqual([
      ['Good', 0.5, 1],
      ['morning.', 1, 2],
    ])
  })
})

test('of bilingual cues the lines in the language of the clip are kept', () => {
  const vtt =
    'WEBVTT\n\n00:01.000 --> 00:02.000\n早上好。\nGood morning.\n\n00:02.000 --> 00:03.000\n你好 Ada\nHi Ada.'
  expect(spans(vtt, 'zh').map(([, , text]) => text)).toEqual(['早上好。', '你好 Ada'])
  expect(read(vtt, 'en').tally.repairs).toEqual({ 'line in another language: dropped': 1 })
})

test('what is in another script than the language is refused, and what is no speech skipped', () => {
  expect(() => read('1\n00:00:01,000 --> 00:00:02,000\nДоброе утро')).toThrow('is not in "en"')
  expect(() => read('WEBVTT\nKind: chapters\n\n00:01.000 --> 00:02.000\nOne')).toThrow(
    'is a track of chapters',
  )
  expect(() => read('{"id": "v", "title": "T"}')).toThrow('describes a video')
})
