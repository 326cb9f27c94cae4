import { parse } from 'csv-parse/sync'
import * as mediaCaptions from 'media-captions'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClipLookup, type Transcript } from '#client/clip-lookup.ts'
import { autocomplete } from '#client/helpers/autocomplete.ts'
import { findClips } from '#client/helpers/find-clips.ts'
import { flashcard, toAnki, toCsv, type Flashcard } from '#client/helpers/flashcard.ts'
import { glossary } from '#client/helpers/glossary.ts'
import { highlight, segments } from '#client/helpers/highlight.ts'
import { lineAt, thumbnailUrl, watchUrlAt, wordAt } from '#client/helpers/moments.ts'
import { toSrt, toWebVtt } from '#client/helpers/subtitles.ts'
import { countedFetch } from '../../harness/counted-fetch.ts'
import { sharedSmallService } from '../../proxy/small-service.ts'

const service = sharedSmallService()
let client: ClipLookup
let transcript: Transcript
const counted = countedFetch()

beforeAll(async () => {
  client = new ClipLookup({ baseUrl: `${service.origin}/v1`, key: service.key, fetch: counted.fetch })
  transcript = await client.getTranscript({ clipId: 'cat-sitter' })
})

/** Returns a transcript of these lines, of two seconds each, one after another. */
function transcriptOf(...lines: string[]): Transcript {
  const cues = lines.map((text, i) => ({ tStart: 2 * i, tEnd: 2 * i + 2, text, words: [] }))
  return { clipId: 'c', videoId: 'v', language: 'en', durationS: 60, wordTiming: 'measured', cues }
}

describe('places in texts', () => {
  test('places count code points', () => {
    expect(highlight('🐈🐈 cat 🐈', 3, 6)).toEqual({ before: '🐈🐈 ', match: 'cat', after: ' 🐈' })
    expect(highlight('𠮷野家', 1, 2)).toEqual({ before: '𠮷', match: '野', after: '家' })
  })

  test('the highlight of every occurrence is the form that occurs', async () => {
    const { items } = await client.listWordClips({ word: 'look after' })
    for (const { text, start, end, form } of items.flatMap(({ occurrences }) => occurrences))
      expect(highlight(text, start, end).match.toLowerCase()).toBe(form.toLowerCase())
  })

  test('segments split a line into its words and the text between them', () => {
    const [cue] = transcript.cues
    expect(segments(cue!).map(({ text }) => text)).toEqual(
      'Who, ,is, ,looking, ,after, ,the, ,cat,?'.split(','),
    )
    expect(segments(cue!)[4]).toMatchObject({ index: 2, word: { text: 'looking' } })
  })

  test('segments also locate the words of older transcripts', () => {
    const word = (text: string) => ({ text, tStart: 0, tEnd: 1 })
    const cue = { tStart: 0, tEnd: 1, text: '🐈 on a mat', words: ['on', 'nowhere', 'mat'].map(word) }
    expect(segments(cue).map(({ text, index }) => [text, index])).toEqual([
      ['🐈 ', -1],
      ['on', 0],
      [' a ', -1],
      ['mat', 2],
    ])
  })
})

describe('moments', () => {
  test('a time belongs to the line and the word that have started and not ended', () => {
    const [first, second] = transcript.cues
    expect(lineAt(transcript, first!.tStart)).toBe(first)
    expect(lineAt(transcript, second!.tStart)).toBe(second)
    expect(lineAt(transcript, 1000)).toBeNull()
    const [, word] = first!.words
    expect(wordAt(transcript, word!.tStart)).toBe(word)
    expect(wordAt(transcript, word!.tEnd)).not.toBe(word)
    expect(wordAt(transcript, 1000)).toBeNull()
  })

  test('links lead to the second on YouTube and on other platforms', async () => {
    const clip = await client.getClip({ clipId: 'cat-sitter' })
    expect(watchUrlAt(clip, 12.48)).toBe('https://www.youtube.com/watch?v=cat-sitter&t=12s')
    expect(thumbnailUrl(clip)).toBe('https://i.ytimg.com/vi/cat-sitter/hqdefault.jpg')
    const other = { ...clip, watchUrl: 'https://notyoutube.com/w/1', embedUrl: 'https://notyoutube.com/e/1' }
    expect(watchUrlAt(other, 12.48)).toBe('https://notyoutube.com/w/1#t=12.48')
    expect(thumbnailUrl(other)).toBeNull()
  })
})

test('the glossary of a transcript takes one request', async () => {
  counted.requests.length = 0
  const words = await glossary(client, transcript, { gloss: 'es' })
  expect(counted.requests).toHaveLength(1)
  expect(words.get(7)).toMatchObject({ word: 'cat', meaning: 'gato' })
  const ids = transcript.cues.flatMap(({ words: tokens }) => tokens).flatMap(({ wordIds = [] }) => wordIds)
  expect(new Set(words.keys())).toEqual(new Set(ids))
})

describe('subtitles', () => {
  // Its types do not resolve under nodenext (1.0.4): they import without extensions.
  const { parseText } = mediaCaptions as unknown as {
    parseText(
      text: string,
      options: { type: string; strict: boolean },
    ): Promise<{ cues: { startTime: number; endTime: number; text: string }[]; errors: unknown[] }>
  }
  const lines = transcriptOf('A < B & C --> D', 'two\n\nlines', '')
  const texts = ['A < B & C --> D', 'two\nlines']

  test.each([
    ['srt', toSrt],
    ['vtt', toWebVtt],
  ] as const)('another program reads the %s file correctly', async (type, write) => {
    const { cues, errors } = await parseText(write(lines), { type, strict: true })
    expect(errors).toEqual([])
    const unescaped = (text: string) =>
      text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    expect(cues.map(({ text }) => unescaped(text))).toEqual(texts)
    expect(cues.map(({ startTime, endTime }) => [startTime, endTime])).toEqual([
      [0, 2],
      [2, 4],
    ])
  })

  test('times are written with all their parts', () => {
    const late = transcriptOf('x')
    Object.assign(late.cues[0]!, { tStart: 3599.9996, tEnd: 3725.25 })
    expect(toSrt(late)).toBe('1\n01:00:00,000 --> 01:02:05,250\nx\n')
    expect(toWebVtt(late)).toBe('WEBVTT\n\n01:00:00.000 --> 01:02:05.250\nx\n')
  })

  test('translations replace the lines that have them', () => {
    const translated = transcriptOf('One', 'Two')
    translated.cues[1]!.translations = { es: 'Dos' }
    expect(toSrt(translated, { translation: 'es' })).toBe('1\n00:00:02,000 --> 00:00:04,000\nDos\n')
  })
})

describe('flashcards', () => {
  async function newCard(): Promise<Flashcard> {
    const { word, items } = await client.listWordClips({ word: 'look after', context: true })
    const { clip, occurrences } = items[0]!
    return flashcard({ word, clip, occurrence: occurrences[0]! })
  }

  test('a card contains the sentence with the word, its meaning and a link', async () => {
    const card = await newCard()
    expect(card).toMatchObject({
      word: 'look after',
      level: 'B1',
      meaning: 'to take care of',
      form: 'looking after',
      sentence: 'Who is looking after the cat?',
      translation: null,
      reading: null,
      link: expect.stringMatching(/watch\?v=cat-sitter&t=\d+s$/),
    })
    expect(highlight(card.sentence, card.start, card.end).match).toBe('looking after')
  })

  test('a focus word of the feed makes a card if it was requested with its context, else an error', async () => {
    const focusIn = async (parameters: { context?: boolean }) => {
      const { items } = await client.getFeed({ seed: 's', ...parameters })
      const { clip, focusWord } = items.find(({ focusWord }) => focusWord)!
      return { clip, word: focusWord!, occurrence: focusWord! }
    }
    const parts = await focusIn({ context: true })
    const { word, sentence } = parts.word
    expect(flashcard(parts)).toMatchObject({ word, sentence: sentence!.text })
    const withoutContext = await focusIn({})
    expect(() => flashcard(withoutContext)).toThrow('requested with context=true')
  })

  test('the reading comes from the tokens of the occurrence', async () => {
    const { word, items } = await client.listWordClips({ word: 'look after' })
    const { clip, occurrences } = items[0]!
    const read = structuredClone(transcript)
    for (const token of read.cues.flatMap(({ words }) => words))
      if (token.text === 'looking') Object.assign(token, { reading: 'LOO-king' })
    const card = flashcard({ word, clip, occurrence: occurrences[0]!, transcript: read })
    expect(card.reading).toBe('LOO-king after')
  })

  test('a spreadsheet reads the CSV file correctly, and no cell is a formula', async () => {
    const card = { ...(await newCard()), sentence: 'Say "a, b"\nnow', meaning: '=HYPERLINK(1)' }
    const rows = parse(toCsv([card]), { columns: true }) as Record<string, string>[]
    expect(rows).toEqual([expect.objectContaining({ sentence: card.sentence, meaning: "'=HYPERLINK(1)" })])
  })

  test('an Anki file has one escaped row for each card', async () => {
    const card = { ...(await newCard()), meaning: 'a <b>\ttab', sentence: '1 < 2', start: 4, end: 5 }
    const rows = toAnki([card, card]).split('\n')
    expect(rows.slice(0, 3)).toEqual([
      '#separator:tab',
      '#html:true',
      '#columns:Sentence\tWord\tReading\tMeaning\tTranslation\tSource',
    ])
    expect(rows[3]!.split('\t').slice(0, 4)).toEqual(['1 &lt; <b>2</b>', 'look after', '', 'a &lt;b&gt; tab'])
    expect(rows[4]).toBe(rows[3])
    // Anki reads a line that starts with # as a comment.
    const hashRow = toAnki([{ ...card, sentence: '#1 hit', start: 3, end: 6 }]).split('\n')[3]
    expect(hashRow).toMatch(/^&#35;1 <b>hit<\/b>\t/)
  })
})

describe('autocomplete', () => {
  test('requests only the last text after a pause, and answers longer texts locally', async () => {
    const complete = autocomplete(client, { delayMs: 20 })
    counted.requests.length = 0
    const [early, words] = await Promise.all([complete('l'), complete('loo')])
    expect(early).toBeNull()
    expect(words!.map(({ word }) => word)).toEqual(['look', 'look after'])
    expect(await complete('look')).toEqual(words)
    expect(await complete('look ')).toHaveLength(2)
    expect(counted.requests).toEqual(['/v1/words?q=loo'])
  })

  test('requests a text that could match a form or a meaning', async () => {
    const complete = autocomplete(client, { delayMs: 0 })
    expect((await complete('r'))!.length).toBeGreaterThan(1)
    counted.requests.length = 0
    expect((await complete('ra'))!.map(({ word }) => word)).toContain('run')
    expect(counted.requests).toEqual(['/v1/words?q=ra'])
    const completeMeaning = autocomplete(client, { delayMs: 0, in: 'meanings' })
    expect(await completeMeaning('to look')).toEqual(await completeMeaning('to look'))
    expect(counted.requests).toHaveLength(3)
  })

  test('a text without words needs no further request', async () => {
    const complete = autocomplete(client, { delayMs: 0 })
    counted.requests.length = 0
    expect(await complete('zz')).toEqual([])
    expect(await complete('zzz')).toEqual([])
    expect(counted.requests).toHaveLength(1)
  })
})

test('finds clips by word first, and searches sentences if there is no such word', async () => {
  const byWord = await findClips(client, 'looking after')
  expect(byWord.word).toMatchObject({ word: 'look after' })
  expect(byWord.items[0]).toMatchObject({ clip: { videoId: 'cat-sitter' }, count: 2 })
  const inSentences = await findClips(client, 'out of the case', { limit: 1 })
  expect(inSentences).toMatchObject({ word: null, items: [{ clip: { videoId: 'watchmaker' }, count: 1 }] })
  await expect(findClips(client, 'x'.repeat(200))).rejects.toMatchObject({ code: 'invalid_parameter' })
})
