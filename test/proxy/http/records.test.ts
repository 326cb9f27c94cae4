import { describe, expect, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

/**
 * The keys of every object in a JSON text as they stand, by the path to it; those of a list's items
 * under `[]`.
 */
function keyOrders(
  value: unknown,
  path = '',
  found: Record<string, Set<string>> = {},
): Record<string, Set<string>> {
  if (Array.isArray(value)) for (const item of value) keyOrders(item, `${path}[]`, found)
  else if (value !== null && typeof value === 'object') {
    ;(found[path] ??= new Set()).add(Object.keys(value).join(' '))
    for (const [name, field] of Object.entries(value))
      keyOrders(field, path === '' ? name : `${path}.${name}`, found)
  }
  return found
}

async function ordersOf(path: string): Promise<Record<string, string[]>> {
  const { text } = await service.get(path, { key: service.key })
  return Object.fromEntries(
    Object.entries(keyOrders(JSON.parse(text))).map(([at, orders]) => [at, [...orders].sort()]),
  )
}

const feedClip = 'clipId videoId title language level durationS channel embedUrl watchUrl'
const word = 'word wordId level meaning clipCount'

describe('records have the fields of the contract, in its order', () => {
  test('a page of the feed', async () => {
    expect(await ordersOf('/feed?limit=100')).toEqual({
      '': ['seed items nextCursor'],
      'items[]': ['clip focusWord'],
      'items[].clip': [feedClip],
      'items[].clip.channel': ['id name'],
      'items[].focusWord': ['word wordId level meaning tStart'],
    })
  })

  test('a clip', async () => {
    expect(await ordersOf('/clips/watchmaker')).toEqual({
      '': [`${feedClip} wordCount indexedAt`],
      channel: ['id name'],
    })
  })

  test('a transcript', async () => {
    expect(await ordersOf('/clips/watchmaker/transcript')).toEqual({
      '': ['clipId videoId language durationS wordTiming cues'],
      'cues[]': ['tStart tEnd text words'],
      'cues[].words[]': ['text tStart tEnd', 'text tStart tEnd wordIds'],
    })
  })

  test('a page of words', async () => {
    expect(await ordersOf('/words')).toEqual({ '': ['words totalCount nextCursor'], 'words[]': [word] })
  })

  test('the clips of a word', async () => {
    expect(await ordersOf('/words/look%20after/clips')).toEqual({
      '': ['word items totalCount nextCursor'],
      word: [word],
      'items[]': ['clip knownShare occurrenceCount occurrences'],
      'items[].clip': [feedClip],
      'items[].clip.channel': ['id name'],
      'items[].occurrences[]': ['tStart tEnd form text start end'],
    })
  })

  test('the corpus', async () => {
    const levels = 'A1 A2 B1 B2 C1 C2'
    const perLevel = Object.fromEntries(
      levels.split(' ').map((level) => [`languages[].wordsByLevel.${level}`, ['words withClips']]),
    )
    expect(await ordersOf('/corpus')).toEqual({
      '': ['release builtAt clipCount totalDurationS channelCount glosses languages'],
      'languages[]': [
        'language clipCount totalDurationS channelCount clipsByLevel wordCount wordsWithClips wordsByLevel glossCoverage',
      ],
      'languages[].clipsByLevel': [levels],
      'languages[].wordsByLevel': [levels],
      ...perLevel,
      'languages[].glossCoverage': [glosses.join(' ')],
    })
  })

  test('usage', async () => {
    expect(await ordersOf('/usage')).toEqual({
      '': ['plan periodStart periodEnd requests limit rateLimitPerMinute'],
    })
  })

  test('errors', async () => {
    expect(await ordersOf('/words?limit=x')).toEqual({ '': ['error'], error: ['code message parameter'] })
    expect(await ordersOf('/nowhere')).toEqual({ '': ['error'], error: ['code message'] })
  })
})

describe('known answers of the small corpus', () => {
  test('the words by coverage, then by id', async () => {
    const { json } = await service.get('/words?hasClips=false', { key: service.key })
    expect(
      json.words.map(({ word, clipCount }: { word: string; clipCount: number }) => `${word} ${clipCount}`),
    ).toEqual([
      'the 5',
      'look 4',
      'cat 4',
      'run 3',
      'look after 2',
      'ice-cream 1',
      'café 1',
      'meticulous 1',
      'and/or 0',
      'serendipity 0',
    ])
  })

  test('a search has the exact word first, then beginnings, then the rest', async () => {
    const found = async (q: string) =>
      (await service.get(`/words?hasClips=false&q=${q}`, { key: service.key })).json.words.map(
        ({ word }: { word: string }) => word,
      )
    expect(await found('look')).toEqual(['look', 'look after'])
    expect(await found('c')).toEqual(['cat', 'café', 'ice-cream', 'meticulous'])
    expect(await found('after')).toEqual(['look after'])
  })

  test('the clips of a word come easiest first, with where it is said', async () => {
    const { json } = await service.get('/words/look%20after/clips', { key: service.key })
    expect(json.totalCount).toBe(2)
    expect(json.items.map(({ clip }: { clip: { videoId: string } }) => clip.videoId)).toEqual([
      'cat-sitter',
      'watchmaker',
    ])
    expect(json.items[0].occurrences.map(({ form }: { form: string }) => form)).toEqual([
      'looking after',
      'look after',
    ])
    expect(json.items[1].occurrences[0].text).toBe('The cat looks after the shop.')
  })

  test('a language without catalogue has clips and no words', async () => {
    const { json } = await service.get('/corpus', { key: service.key })
    expect(json.languages.map(({ language }: { language: string }) => language)).toEqual(['en', 'fr', 'tr'])
    expect(json.languages[1]).toMatchObject({ clipCount: 1, wordCount: 0 })
    expect((await service.get('/feed?language=fr', { key: service.key })).json.items[0].focusWord).toBeNull()
  })

  test('the focus word is one level above, and its meaning in the gloss asked for', async () => {
    const focusOf = async (query: string) => {
      const { json } = await service.get(`/feed?limit=100&${query}`, { key: service.key })
      return Object.fromEntries(
        json.items.map(
          ({
            clip,
            focusWord,
          }: {
            clip: { videoId: string }
            focusWord: { word: string; meaning: string } | null
          }) => [clip.videoId, focusWord && `${focusWord.word}: ${focusWord.meaning}`],
        ),
      )
    }
    expect(await focusOf('gloss=es')).toEqual({
      'at-the-beach': null,
      'cat-sitter': null,
      'fast-cats': null,
      'morning-run': 'café: cafetería',
      'the-contract': null,
      watchmaker: 'meticulous: meticuloso',
    })
    expect((await focusOf('level=A2'))['cat-sitter']).toBe('look after: to take care of')
  })
})
