import { describe, expect, test } from 'vitest'
import type { Gloss, Meanings } from '#contract/glosses.ts'
import { findByMeaning } from '#proxy/search/find-by-meaning.ts'
import { Job } from '#proxy/turns.ts'
import type { Release } from '#release/release.ts'
import { damagedFile } from '#release/tree.ts'
import { sharedSmallService } from '../small-service.ts'

/** The row of the first word of the language. */
const first = 2

/** Returns a release with these words, all of them with clips. */
function releaseOf(meanings: readonly Meanings[]): Release {
  const end = first + meanings.length
  const words = {
    rangeOf: () => ({ first, clipsEnd: end, end }),
    levels: new Uint8Array(end),
    meaning: (row: number, gloss: Gloss) => meanings[row - first]![gloss] ?? '',
  }
  return { words } as unknown as Release
}

/** Returns the indexes of the meanings that match, best first. */
async function rows(q: string, meanings: readonly Meanings[], gloss: Gloss = 'en'): Promise<number[]> {
  const search = { language: 'ja', gloss, levelMask: 1, hasClips: true }
  return (await findByMeaning(releaseOf(meanings), q, search, new Job())).map((row) => row - first)
}

const en = (...texts: string[]): Meanings[] => texts.map((text) => ({ en: text }))

test('lists a sense equal to the text first, then whole words, then prefixes', async () => {
  const meanings = en(
    'household',
    'a green house',
    'home; house',
    'to house (somebody)',
    'hut',
    'houses/halls',
  )
  expect(await rows('house', meanings)).toEqual([2, 3, 1, 0, 5])
  expect(await rows('The House', meanings)).toEqual([2, 3])
  expect(await rows('green ho', meanings)).toEqual([1])
})

test('finds no text within a word', async () => {
  expect(await rows('house', en('warehouse'))).toEqual([])
})

test('ranks a word by its best sense', async () => {
  const meanings = en('household', 'household; green house', 'green house; household')
  expect(await rows('house', meanings)).toEqual([1, 2, 0])
})

test('reads the meanings again after a fault of the disk', async () => {
  const { words } = releaseOf(en('house'))
  let isDamaged = true
  const meaning = (row: number, gloss: Gloss) => {
    if (isDamaged) throw damagedFile('words.bin')
    return words.meaning(row, gloss)
  }
  const release = { words: { ...words, meaning } } as unknown as Release
  const search = { language: 'ja', gloss: 'en', levelMask: 1, hasClips: true } as const
  const find = () => findByMeaning(release, 'house', search, new Job())
  await expect(find()).rejects.toThrow('words.bin')
  isDamaged = false
  expect(await find()).toEqual([first])
})

test('text in brackets is not part of a sense', async () => {
  expect(await rows('big', en('house (big)', 'dog [big]', '犬（big）', 'big', 'a ((very) big) b'))).toEqual([
    3,
  ])
  expect(await rows('boat', en('house(big)boat'))).toEqual([0])
})

test('ignores an article only at the beginning of a sense, and only in English', async () => {
  expect(await rows('go to bed', en('go to bed early', 'go to bed'))).toEqual([1, 0])
  expect(await rows('pie', [{ es: 'a pie' }, { es: 'pie' }], 'es')).toEqual([1, 0])
})

test('searches for an article alone as a word', async () => {
  expect(await rows('to', en('to go', 'go to', 'to', 'tower'))).toEqual([2, 0, 1, 3])
})

test('searches for a meaning that the gloss lacks in English, by its rules', async () => {
  const meanings: Meanings[] = [{ en: 'sun', es: 'el moon, luna' }, { en: 'the moon' }, { es: 'Luná' }]
  expect(await rows('moon', meanings, 'es')).toEqual([1, 0])
  expect(await rows('LUNA', meanings, 'es')).toEqual([0, 2])
  expect(await rows('house', [{ en: 'warehouse' }], 'zh')).toEqual([])
})

test('finds a text anywhere in a sense in Japanese and Chinese', async () => {
  const meanings: Meanings[] = [{ zh: '大房子' }, { zh: '房子；屋' }, { zh: '房' }]
  expect(await rows('房子', meanings, 'zh')).toEqual([1, 0])
  expect(await rows('房', meanings, 'zh')).toEqual([2, 0, 1])
})

test('finds nothing for text without a letter or digit', async () => {
  expect(await rows('?!', en('?!', 'what'))).toEqual([])
})

describe('find by meaning over HTTP', () => {
  const service = sharedSmallService()
  const get = async (path: string) => await service.get(path, { key: service.key })

  test('a cursor is bound to the kind of search and to its gloss', async () => {
    const { status, json } = await get('/words?q=c&in=meanings&gloss=es&limit=1')
    expect([status, json.words.length]).toEqual([200, 1])
    const { nextCursor: cursor, words, totalCount } = json
    expect((await get(`/words?q=c&in=meanings&gloss=es&limit=${totalCount}`)).json.nextCursor).toBeNull()
    const next = await get(`/words?cursor=${cursor}&limit=1`)
    const same = await get(`/words?q=c&in=meanings&gloss=es&limit=1&cursor=${cursor}`)
    expect(next.json).toEqual(same.json)
    expect(next.json.words[0].wordId).not.toBe(words[0].wordId)
    for (const [change, parameter] of [
      ['gloss=en', 'gloss'],
      ['in=spellings', 'in'],
    ] as const)
      expect(await get(`/words?${change}&cursor=${cursor}`)).toMatchObject({
        status: 400,
        json: { error: { parameter, message: expect.stringContaining(`"${change.split('=')[1]}"`) } },
      })
  })

  test('refuses a search without a text', async () => {
    const error = { parameter: 'in', message: expect.stringContaining('needs q') }
    expect(await get('/words?in=meanings')).toMatchObject({ status: 400, json: { error } })
  })
})
