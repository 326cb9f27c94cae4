import { expect, test } from 'vitest'
import type { Transcript, TranscriptWord } from '#contract/transcript.ts'
import { codePointLength } from '#kit/code-points.ts'
import { caseKey } from '#language/lower-case.ts'
import { placeTokens } from '#language/place-tokens.ts'
import { segment } from '#language/segment.ts'
import { sentenceContext } from '#proxy/transcripts/sentence-context.ts'
import { readRun } from '#proxy/transcripts/token-places.ts'
import { TranscriptReader } from '#release/clips/transcript-reader.ts'

/**
 * A transcript of these lines, each a second long.
 *
 * @param hiddenWords words that are said at the end of each line but not shown in it
 */
function transcriptOf(
  lines: readonly string[],
  language: string,
  hiddenWords: readonly TranscriptWord[] = [],
): TranscriptReader {
  const cues = lines.map((text, i) => {
    const tokens = segment(text, language)
    const places = placeTokens(
      text,
      tokens.map((token) => caseKey(token.text, language)),
      language,
    )
    const words = tokens.map((token, t) => {
      const { start, end } = places[t]!
      const characters = (to: number) => codePointLength(text.slice(0, to))
      return { text: token.text, tStart: i, tEnd: i + 0.5, start: characters(start), end: characters(end) }
    })
    return {
      tStart: i,
      tEnd: i + 1,
      text,
      translations: { es: `línea ${i}` },
      words: [...words, ...hiddenWords],
    }
  })
  const transcript: Transcript = {
    clipId: '00000000-0000-4000-8000-000000000000',
    videoId: 'v',
    language,
    durationS: 99,
    wordTiming: 'interpolated',
    cues,
  }
  return new TranscriptReader(Buffer.from(JSON.stringify(transcript)))
}

/** Returns the context of a token of a line, with the token marked in its sentence. */
function contextOf(lines: readonly string[], cue: number, inCue: number, language = 'en') {
  const transcript = transcriptOf(lines, language)
  const token = { cue, inCue }
  const context = sentenceContext(transcript, readRun(token, token, transcript), language, 'es')
  const letters = [...context.sentence.text]
  const { start, end } = context.sentence
  const text = [
    ...letters.slice(0, start),
    '[',
    ...letters.slice(start, end),
    ']',
    ...letters.slice(end),
  ].join('')
  return { ...context, text }
}

test('a sentence spans lines, and ends after its mark and closing quotes', () => {
  const lines = ['He said: “I’m', 'going home.” Then', 'he left. (Really?) Yes.']
  expect(contextOf(lines, 1, 1)).toMatchObject({
    text: 'He said: “I’m going [home].”',
    before: null,
    after: 'Then he left.',
    sentence: { tStart: 0, tEnd: 1.5, translation: 'línea 0 línea 1' },
  })
  expect(contextOf(lines, 2, 1)).toMatchObject({
    text: 'Then he [left].',
    before: 'He said: “I’m going home.”',
    after: '(Really?)',
    sentence: { tStart: 1, tEnd: 2.5, translation: 'línea 1 línea 2' },
  })
  expect(contextOf(lines, 2, 3)).toMatchObject({ text: '[Yes].', after: null })
})

test('“ closes a quotation in German, but opens one in Chinese', () => {
  expect(contextOf(['„Komm.“ „Nein.“'], 0, 0, 'de')).toMatchObject({ text: '„[Komm].“', after: '„Nein.“' })
  expect(contextOf(['他说：“好。”“走吧。”'], 0, 3, 'zh')).toMatchObject({ before: '他说：“好。”' })
})

test('joins lines in Japanese without a space', () => {
  const expected = { text: '[猫]が好きです。', after: '犬も。' }
  expect(contextOf(['猫が', '好きです。犬も。'], 0, 0, 'ja')).toMatchObject(expected)
})

test('counts positions in characters, even after emoji', () => {
  expect(contextOf(['😀 Hi. 😀 We go.'], 0, 2)).toMatchObject({ text: '😀 We [go].', before: '😀 Hi.' })
})

const long = Array.from({ length: 30 }, (_, i) => `line ${i} without any mark`)

test('shows captions without punctuation line by line', () => {
  expect(contextOf(long, 15, 1)).toMatchObject({
    text: 'line [15] without any mark',
    before: long[14],
    after: long[16],
    sentence: { tStart: 15, tEnd: 15.5, translation: 'línea 15' },
  })
  expect(contextOf(long, 0, 0)).toMatchObject({ before: null, after: long[1] })
})

test('does not count what closes the previous sentence at the start of a window', () => {
  const [a, b] = ['a'.repeat(99), 'b'.repeat(98)]
  const lines = [...Array<string>(9).fill('そう。'), '「はい。', `」${a}`, b, 'go.', 'End.', 'Yes.']
  expect(contextOf(lines, 12, 0, 'ja')).toMatchObject({ text: `${a}${b}[go].`, before: '「はい。」' })
})

test('replaces a long sentence beside the match by its nearest line', () => {
  const expected = { text: '[Here] we are.', before: 'end. Here we are. And', after: 'And' }
  expect(contextOf([...long, 'end. Here we are. And'], long.length, 1)).toMatchObject(expected)
  expect(contextOf(['Here we are.', ...long], 0, 0)).toMatchObject({ after: long[0] })
})

test('shows a line whole if its words differ from the spoken ones', () => {
  const transcript = transcriptOf(['One two.'], 'en', [{ text: 'three', tStart: 0.6, tEnd: 0.7 }])
  const token = { cue: 0, inCue: 2 }
  expect(sentenceContext(transcript, readRun(token, token, transcript), 'en', 'ja')).toMatchObject({
    sentence: { text: 'One two.', start: 7, end: 8, tEnd: 0.7, translation: null },
  })
})
