import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { basePath, operations } from '#contract/operations.ts'
import type { HttpAnswer } from '../../harness/http-client.ts'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()
beforeAll(async () => {
  required['/changes'] = `since=${(await service.get('/corpus')).json.release}`
  fine.since = required['/changes']!.slice('since='.length)
})

const get = (path: string): Promise<HttpAnswer> => service.get(path, { key: service.key })

/** 400, with sentences that contain the name of the parameter and this text. */
async function expectRefusal(path: string, parameter: string, message = ''): Promise<void> {
  const { status, json } = await get(path)
  const { code, parameter: named } = json.error ?? {}
  expect([path, status, code, named]).toEqual([path, 400, 'invalid_parameter', parameter])
  expect(json.error.message).toContain(message === '' ? parameter : `${parameter} ${message}`)
  expect(json.error.message).toMatch(/[.?]$/)
  // These messages quote the value, or the wrong part of it.
  if (/^(must|contains) /.test(message)) expect(json.error.message.split('"')).toHaveLength(3)
}

async function expectTaken(path: string): Promise<HttpAnswer> {
  const answer = await get(path)
  expect({ path, status: answer.status }).toEqual({ path, status: 200 })
  return answer
}

/** A path of each operation, with a value that is valid for each of its query parameters. */
const paths: Record<string, string> = {
  getFeed: '/feed',
  listClips: '/clips',
  getClip: '/clips/watchmaker',
  getTranscript: '/clips/watchmaker/transcript',
  listWords: '/words',
  getWord: '/words/run',
  listWordClips: '/words/run/clips',
  searchSentences: '/sentences',
  getCorpus: '/corpus',
  getChanges: '/changes',
  getUsage: '/usage',
  getOpenApi: '/openapi.json',
}
const fine: Record<string, string> = {
  language: 'en',
  gloss: 'es',
  level: 'A1',
  exclude: 'watchmaker',
  seed: 's',
  q: 'run',
  in: 'spellings',
  hasClips: 'true',
  ids: '1',
  spellings: 'run',
  limit: '5',
  clipLevel: 'A1,B1',
  channel: 'channel-en',
  maxDurationS: '60',
  hasFocusWord: 'true',
  context: 'true',
  known: 'A1',
  minKnownShare: '0.5',
  maxUnknown: '3',
  match: 'exact',
}
/** The required query parameters of an operation. */
const required: Record<string, string> = {
  '/clips': 'ids=watchmaker',
  '/sentences': 'q=the+cat',
  '/changes': '',
}
const known = operations.flatMap(({ id, queryParameters }) =>
  Object.keys(queryParameters).map((name): [string, string] => [paths[id]!, name]),
)
const lists = operations.flatMap(({ id, queryParameters }) =>
  Object.entries(queryParameters).flatMap(([name, { list }]) =>
    list ? [[paths[id]!, name] as [string, string]] : [],
  ),
)
const isList = ([path, name]: [string, string]) => lists.some((list) => list[0] === path && list[1] === name)
const optional = known.filter(([path, name]) => name !== 'since' && !required[path]?.startsWith(`${name}=`))

const undecodable = 'must be percent-encoded UTF-8 without NUL, but it is'

describe('every known parameter', () => {
  test('has a case here', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(paths).sort())
    expect(new Set(known.map(([, name]) => name))).toEqual(new Set([...Object.keys(fine), 'cursor']))
  })

  test.each(known.filter((one) => !isList(one)))('is 400 if it is repeated: %s %s', async (path, name) => {
    const value = fine[name] ?? 'x'
    await expectRefusal(`${path}?${name}=${value}&${name}=${value}`, name)
    await expectRefusal(`${path}?${name}=&${name}=`, name)
    await expectRefusal(`${path}?${name}=&${name}=${value}`, name)
    await expectRefusal(`${path}?${name}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=`, name)
  })

  test.each(lists)('that is a list may be repeated, as generated clients do: %s %s', async (path, name) => {
    const values: Record<string, [string, string]> = {
      ids: path === '/clips' ? ['watchmaker', 'cat-sitter'] : ['1', '3'],
      exclude: ['watchmaker', 'cat-sitter'],
      channel: ['channel-en', 'channel-tr'],
    }
    const [a, b] = values[name] ?? ['A1', 'B1']
    const rest = path === '/feed' ? '&seed=s' : path === '/sentences' ? '&q=the' : ''
    const { text } = await expectTaken(`${path}?${name}=${a},${b}${rest}`)
    for (const query of [`${name}=${a}${rest}&${name}=${b}`, `${name}=&${name}=${a}&${name}=+${b}${rest}`])
      expect((await expectTaken(`${path}?${query}`)).text).toBe(text)
    await expectRefusal(`${path}?${name}=${a}&${name}=%ff${rest}`, name)
  })

  test.each(optional)('counts as absent if it is empty or blank: %s %s', async (path, name) => {
    const seeded = path === '/feed' && name !== 'seed' ? '&seed=s' : ''
    const rest = seeded === '' && path in required ? `&${required[path]}` : seeded
    const without = await expectTaken(`${path}?${rest}`)
    for (const empty of [name, `${name}=`, `${name}=+`, `${name}=%20%09`, `${name}=%E3%80%80`]) {
      const answer = await expectTaken(`${path}?${empty}${rest}`)
      if (path !== '/feed' || seeded) expect(answer.text).toBe(without.text)
    }
  })

  test.each(known.filter((one) => !optional.includes(one)))(
    'that is required is 400 if it is absent, empty or blank: %s %s',
    async (path, name) => {
      for (const query of ['', `${name}`, `${name}=`, `${name}=+`, `${name}=%20`])
        await expectRefusal(`${path}?${query}`, name)
      expect((await get(path)).json.error.message).toMatch(
        new RegExp(`^GET ${path} needs ${name}: [a-z]+ [^.]*\\.$`),
      )
    },
  )

  test.each(known)('is 400 with bad encoding, bad UTF-8 or NUL: %s %s', async (path, name) => {
    for (const bad of ['%', '%4', '%zz', 'a%C3', '%ff', '%C0%80', '%00', 'a%00b', '%ED%A0%80'])
      await expectRefusal(`${path}?${name}=${bad}`, name, `${undecodable} "${bad}"`)
  })
})

describe('unknown parameters', () => {
  const every = operations.map(({ id, queryParameters }): [string, string[]] => [
    paths[id]!,
    Object.keys(queryParameters),
  ])

  test.each(every)(
    'are 400, whatever the value, and the message lists the known parameters: %s',
    async (path, names) => {
      for (const query of ['nonsense=1', 'nonsense', 'nonsense=', 'nonsense=%zz', 'nonsense=1&nonsense=2']) {
        const { status, json } = await get(`${path}?${query}`)
        expect({ status, parameter: json.error.parameter }).toEqual({ status: 400, parameter: 'nonsense' })
        expect(json.error.message).toBe(
          `"nonsense" is not a parameter of GET ${patternOf(path)}. ${sentenceOf(names)}`,
        )
      }
    },
  )

  test.each([
    ['/words?lang=ja', 'lang', 'language'],
    ['/words?Limit=5', 'Limit', 'limit'],
    ['/words?levels=A1', 'levels', 'level'],
    ['/feed?excluded=x', 'excluded', 'exclude'],
    ['/words/run/clips?lvel=A1', 'lvel', 'level'],
    ['/changes?sinc=x', 'sinc', 'since'],
  ])('suggest a similar one: %s', async (path, parameter, closest) => {
    const { error } = (await get(path)).json
    expect(error.parameter).toBe(parameter)
    const [, names] = every.find(([known]) => path.split('?')[0] === known)!
    const others = names.filter((name) => name !== closest)
    const suggestion = [closest, ...(others.length > 0 ? [`or one of ${others.join(', ')}`] : [])].join(', ')
    expect(error.message).toMatch(new RegExp(`\\. Did you mean ${suggestion}\\?$`))
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'include names of objects: %s',
    async (name) => expect((await get(`/words?${name}=1`)).json.error.parameter).toBe(name),
  )

  test.each([
    ['=x', ''],
    ['%zz=1', '%zz'],
    ['hasClips=true&%zz&%zz&level=D1', '%zz'],
    ['%00=1', '%00'],
    ['na+me=1', 'na me'],
    ['caf%C3%A9=1', 'café'],
  ])('are named as they are written if they cannot be decoded: %s', async (query, parameter) => {
    expect((await get(`/words?${query}`)).json.error.parameter).toBe(parameter)
  })

  test('are truncated if they are long, and a key in them is not repeated', async () => {
    const long = (await get(`/words?${'a'.repeat(500)}=1`)).json.error
    expect(long.parameter).toBe(`${'a'.repeat(60)}…`)
    expect((await get(`/words?${service.key}`)).json.error.parameter).toBe('clk_…')
  })
})

/** Returns the sentence that lists the parameters of an operation. */
function sentenceOf(names: readonly string[]): string {
  if (names.length === 0) return 'It has no query parameters.'
  if (names.length === 1) return `The only parameter is ${names[0]}.`
  return `The parameters are ${names.join(', ')}.`
}

/** Returns the path pattern of an operation that matches a path. */
const patternOf = (path: string): string => operations.find(({ id }) => paths[id] === path)!.path

describe('the path parameters', () => {
  test.each(['%', '%zz', '%C3', '%ff', '%00', 'a%00b', '%C0%AF'])(
    'with bad bytes are 400: %s',
    async (bad) => {
      const message = `${undecodable} "${bad}"`
      await expectRefusal(`/clips/${bad}`, 'clipId', message)
      await expectRefusal(`/clips/${bad}/transcript`, 'clipId', message)
      await expectRefusal(`/words/${bad}/clips`, 'word', message)
      await expectRefusal(`/words/${bad}`, 'word', message)
    },
  )

  test('a word can have at most 100 characters', async () => {
    const tooLong = 'must have 1 to 100 characters'
    for (const char of ['a', 'é', 'e\u0301', '🐈'].map(encodeURIComponent))
      expect((await get(`/words/${char.repeat(100)}`)).status).toBe(404)
    for (const char of ['a', '🐈', '\ufdfa'].map(encodeURIComponent))
      for (const count of [101, 880])
        for (const rest of ['', '/clips'])
          if (char.length * count < 8000)
            await expectRefusal(`/words/${char.repeat(count)}${rest}`, 'word', tooLong)
  })

  test('a plus in the path is a plus', async () => {
    expect((await get('/words/look+after')).status).toBe(404)
    expect((await expectTaken('/words/look%20after')).json.wordId).toBe(3)
  })
})

const packed = (...bytes: number[]) => `p.${deflateRawSync(Uint8Array.from(bytes)).toString('base64url')}`
const wrongSets = `p.%21 p.AAAA ${packed(5, 0)}`
const wrongLists = `${packed(5)},${packed(6)} ${'1,'.repeat(3001)}`

const noLevel = 'must be one of A1, A2, B1, B2, C1, C2'
const noLevels = 'contains "'
const noBoolean = 'must be true or false'
const paged = '/feed /words /words/run/clips'
const noNumbers = `0 00 101 1000 1e1 0x10 %2B5 +5 5+ -5 5.0 5,0 %D9%A5 five NaN Infinity ${'9'.repeat(400)} 18446744073709551617`

/**
 * Parameters with the paths that refuse some values, these values, and the message after the name.
 * Paths and values are separated by blanks.
 */
const refused: [name: string, paths: string, values: string, message: string][] = [
  ['language', paged, 'EN eng e en-GB 1a e%20 %C3%A9n en,tr +en', 'must be two letters a-z'],
  [
    'gloss',
    `${paged} /clips/watchmaker`,
    'EN xx english e +en en,es',
    'must be one of en, es, ja, pt, ru, tr, zh',
  ],
  ['level', '/feed', 'a1 A0 C3 A all A1-B1 +A1 A1,A2', noLevel],
  ['level', '/words /words/run/clips', 'a1 A1,b2 A1, ,A1 , A1,,A2 A1;A2 A1%20A2', noLevels],
  ['hasClips', '/words', 'True TRUE 1 0 yes no on false+ true,false', noBoolean],
  ['limit', paged, noNumbers, 'must be a whole number from 1 to 100'],
  ['ids', '/words', 'x 1,x -1 1.0 0x1 1;2 1e1 , +,+ %D9%A5', 'must list 1 to 100 numeric word ids'],
  ['ids', '/clips', ',', 'must list 1 to 50 ids'],
  ['match', '/sentences?q=run', 'Exact form all', 'must be forms or exact'],
  ['clipLevel', '/feed', 'a1 A1, all', noLevels],
  ['maxDurationS', '/feed', '0 181 1.5 -1 x', 'must be a whole number from 1 to 180'],
  ['hasFocusWord', '/feed', 'True 1 yes ,', noBoolean],
  ['context', '/feed', 'True 1 yes ,', noBoolean],
  ['channel', '/feed', ',', 'must list 1 to 20 ids'],
  ['known', '/feed /words/cat/clips', 'B7 run A1,--4', 'contains "'],
  ['known', '/feed /words/cat/clips', wrongSets, 'contains "p.'],
  ['known', '/feed /words/cat/clips', wrongLists, ''],
  ['level', '/feed?known=A1', 'A2', 'cannot be combined with known'],
  [
    'minKnownShare',
    '/feed?known=A1',
    '1.01 0.901 .9',
    'must be a number from 0 to 1 with at most 2 decimals',
  ],
  ['maxUnknown', '/feed?known=A1', '101', 'must be a whole number from 0 to 100'],
  ['minKnownShare', '/feed /words/cat/clips', '0.9', 'needs known'],
  ['maxUnknown', '/feed /words/cat/clips', '2', 'needs known'],
]

test.each(refused)('%s of %s is invalid: %s', async (name, paths, values, message) => {
  for (const path of paths.split(' '))
    for (const value of values.split(' '))
      await expectRefusal(`${path}${path.includes('?') ? '&' : '?'}${name}=${value}`, name, message)
})

const list = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}`).join()

/** The largest or longest valid value of a parameter, and the smallest invalid one. */
const limits: [path: string, name: string, most: string, over: string[]][] = [
  ['/words?hasClips=false', 'limit', '007', ['101']],
  ['/words/run/clips?', 'limit', '100', ['101']],
  ['/words?', 'ids', list(100), [list(101), '1,'.repeat(101)]],
  ['/clips?', 'ids', list(50), [list(51)]],
  ['/words?', 'spellings', `,${list(100)},+`, [list(101), 'same,'.repeat(101), ',', 'a'.repeat(101)]],
  ['/feed?', 'channel', 'x,'.repeat(20), ['x,'.repeat(21)]],
  ['/feed?', 'exclude', `,,${list(50)},+,`, [list(51), 'same,'.repeat(51)]],
  ['/sentences?', 'q', 'a+'.repeat(12), ['a+'.repeat(13), 'a'.repeat(101)]],
  ...['a', 'é', '猫', '🐈'].map(encodeURIComponent).flatMap((char): typeof limits => [
    ['/words?', 'q', `++${char.repeat(100)}+`, [char.repeat(101)]],
    ['/feed?', 'seed', char.repeat(64), [char.repeat(65)]],
  ]),
]

test.each(limits)('%s accepts %s of %s, and no more', async (path, name, most, over) => {
  await expectTaken(`${path}&${name}=${most}`)
  for (const value of over) await expectRefusal(`${path}&${name}=${value}`, name)
})

const filters = 'q=run level=A1 hasClips=true limit=5 cursor=x'.split(' ')
test.each([...filters, 'language=en'])('ids with %s are 400, and the message names both', async (other) => {
  const [name] = other.split('=')
  const message = `can be combined only with gloss. Omit ${name}, or omit ids.`
  await expectRefusal(`/words?ids=1&${other}`, 'ids', message)
  await expectRefusal(`/words?${other}&ids=1`, 'ids', message)
})

test.each([...filters, 'ids=1'])('spellings with %s are 400, and the message names both', async (other) => {
  const message = `can be combined only with language and gloss. Omit ${other.split('=')[0]}, or omit spellings.`
  await expectRefusal(`/words?spellings=run&${other}`, 'spellings', message)
  await expectTaken('/words?spellings=run&language=en&gloss=es')
})

test('a generated seed has at least 96 random bits, and is different each time', async () => {
  const seeds = new Set<string>()
  for (let i = 0; i < 20; i++) seeds.add((await expectTaken('/feed')).json.seed)
  expect(seeds.size).toBe(20)
  for (const seed of seeds) {
    expect(seed).toMatch(/^[\w-]{16,64}$/)
    expect(Buffer.from(seed, 'base64url').length).toBeGreaterThanOrEqual(12)
  }
})

test('a seed keeps its spaces, q is trimmed, and + is a space in both', async () => {
  expect((await expectTaken('/feed?seed=a+b%20c+')).json.seed).toBe('a b c ')
  const found = async (q: string) =>
    (await expectTaken(`/words?hasClips=false&q=${q}`)).json.words.map(({ word }: { word: string }) => word)
  expect(await found('++look+after%20')).toEqual(['look after'])
  expect(await found('look%2Bafter')).toEqual([])
  expect(await found('and%2For')).toEqual(['and/or'])
})

test('known accepts spaces, empty entries, unknown ids, and a long list', async () => {
  const plain = await expectTaken('/feed?seed=s&known=A1')
  for (const known of ['%20A1%20,,', 'A1,999999999999999999', `A1${',999999'.repeat(800)}`])
    expect((await expectTaken(`/feed?seed=s&known=${known}`)).json).toEqual(plain.json)
})

test('the cases here cover every path of the contract', () => {
  for (const { id, path } of operations) {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`)
    expect(paths[id]).toMatch(pattern)
  }
  expect(basePath).toBe('/v1')
})
