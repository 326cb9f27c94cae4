import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { basePath, operations } from '#contract/operations.ts'
import type { SentenceClip } from '#contract/sentences.ts'
import type { HttpAnswer } from '../../harness/http-client.ts'
import { englishVideoIds } from '../../fixtures/small-corpus.ts'
import { startSmallService, type SmallService } from '../small-service.ts'

let service: SmallService
let key: string
beforeAll(async () => {
  service = await startSmallService()
  key = await service.newKey()
  required['/changes'] = `since=${(await service.get('/corpus')).json.release}`
  fine.since = required['/changes']!.slice('since='.length)
})
afterAll(() => service.stop())

const get = (path: string): Promise<HttpAnswer> => service.get(path, { key })

async function expectRefusal(path: string, parameter: string): Promise<void> {
  const { status, json } = await get(path)
  expect({ path, status, code: json.error?.code, parameter: json.error?.parameter }).toEqual({
    path,
    status: 400,
    code: 'invalid_parameter',
    parameter,
  })
  expect(json.error.message).toMatch(new RegExp(`^${parameter} `))
}

async function expectTaken(path: string): Promise<HttpAnswer> {
  const answer = await get(path)
  expect({ path, status: answer.status }).toEqual({ path, status: 200 })
  return answer
}

/** A path of each operation, with a value that is fine for each of its query parameters. */
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
  hasClips: 'true',
  ids: '1',
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
/** What a request to the operation needs beside a path. */
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

describe('every known parameter', () => {
  test('is tried here', () => {
    expect(operations.map(({ id }) => id).sort()).toEqual(Object.keys(paths).sort())
    expect(new Set(known.map(([, name]) => name))).toEqual(new Set([...Object.keys(fine), 'cursor']))
  })

  test.each(known.filter((one) => !isList(one)))('given twice is 400: %s %s', async (path, name) => {
    const value = fine[name] ?? 'x'
    await expectRefusal(`${path}?${name}=${value}&${name}=${value}`, name)
    await expectRefusal(`${path}?${name}=&${name}=`, name)
    await expectRefusal(`${path}?${name}=&${name}=${value}`, name)
    await expectRefusal(`${path}?${name}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=`, name)
  })

  test.each(lists)(
    'that is a list may be repeated, as most generated clients send it: %s %s',
    async (path, name) => {
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
    },
  )

  test.each(optional)('empty or blank counts as absent: %s %s', async (path, name) => {
    const seeded = path === '/feed' && name !== 'seed' ? '&seed=s' : ''
    const rest = seeded === '' && path in required ? `&${required[path]}` : seeded
    const without = await expectTaken(`${path}?${rest}`)
    for (const empty of [name, `${name}=`, `${name}=+`, `${name}=%20%09`, `${name}=%E3%80%80`]) {
      const answer = await expectTaken(`${path}?${empty}${rest}`)
      if (path !== '/feed' || seeded) expect(answer.text).toBe(without.text)
    }
  })

  test.each(known.filter((one) => !optional.includes(one)))(
    'that is required is 400 where it is not there, empty or blank: %s %s',
    async (path, name) => {
      for (const query of ['', `${name}`, `${name}=`, `${name}=+`, `${name}=%20`])
        await expectRefusal(`${path}?${query}`, name)
      expect((await get(path)).json.error.message).toMatch(
        new RegExp(`^${name} is required on GET ${path}: `),
      )
    },
  )

  test.each(known)('with bad encoding, bad UTF-8 or NUL is 400: %s %s', async (path, name) => {
    for (const bad of ['%', '%4', '%zz', 'a%C3', '%ff', '%C0%80', '%00', 'a%00b', '%ED%A0%80'])
      await expectRefusal(`${path}?${name}=${bad}`, name)
  })
})

describe('unknown parameters', () => {
  const every = operations.map(({ id, queryParameters }): [string, string[]] => [
    paths[id]!,
    Object.keys(queryParameters),
  ])

  test.each(every)(
    'are 400 whatever their value, and the message lists the others: %s',
    async (path, names) => {
      for (const query of ['nonsense=1', 'nonsense', 'nonsense=', 'nonsense=%zz', 'nonsense=1&nonsense=2']) {
        const { status, json } = await get(`${path}?${query}`)
        expect({ status, parameter: json.error.parameter }).toEqual({ status: 400, parameter: 'nonsense' })
        const list = names.length === 0 ? 'takes no query parameters' : `takes ${names.join(', ')}`
        expect(json.error.message).toBe(
          `"nonsense" is not a parameter of GET ${patternOf(path)}, which ${list}`,
        )
      }
    },
  )

  test.each(every)('are not made of a bare ? or &: %s', async (path) => {
    for (const query of ['?', '?&', '?&&&']) await expectTaken(`${path}${query}${required[path] ?? ''}`)
  })

  test.each([
    ['/words?lang=ja', 'lang', 'language'],
    ['/words?Limit=5', 'Limit', 'limit'],
    ['/words?levels=A1', 'levels', 'level'],
    ['/feed?excluded=x', 'excluded', 'exclude'],
    ['/words/run/clips?lvel=A1', 'lvel', 'level'],
  ])('suggest a close one: %s', async (path, parameter, closest) => {
    const { error } = (await get(path)).json
    expect(error.parameter).toBe(parameter)
    expect(error.message).toMatch(new RegExp(`; did you mean ${closest}\\?$`))
  })

  test.each([
    ['/words?seed=a', 'seed'],
    ['/clips/watchmaker?limit=5', 'limit'],
    ['/clips/watchmaker?clipId=x', 'clipId'],
    ['/clips/watchmaker/transcript?gloss=en', 'gloss'],
    ['/corpus?language=en', 'language'],
    ['/usage?limit=1', 'limit'],
    ['/openapi.json?v=1', 'v'],
  ])('are those of other endpoints too: %s', async (path, parameter) => {
    expect((await get(path)).json.error.parameter).toBe(parameter)
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'are names that every object has: %s',
    async (name) => {
      expect((await get(`/words?${name}=1`)).json.error.parameter).toBe(name)
    },
  )

  test.each([
    ['=x', ''],
    ['%zz=1', '%zz'],
    ['%00=1', '%00'],
    ['na+me=1', 'na me'],
    ['caf%C3%A9=1', 'café'],
  ])('are named as they are written where they cannot be decoded: %s', async (query, parameter) => {
    expect((await get(`/words?${query}`)).json.error.parameter).toBe(parameter)
  })

  test('are cut where they are long, and a key among them is not repeated', async () => {
    const long = (await get(`/words?${'a'.repeat(500)}=1`)).json.error
    expect(long.parameter).toBe(`${'a'.repeat(60)}…`)
    const answer = await get(`/words?${key}`)
    expect(answer.json.error.parameter).toBe('clk_…')
    expect(answer.text).not.toContain(key.slice(4))
  })
})

/** The path of the operation that a path is of. */
function patternOf(path: string): string {
  return operations.find(({ id }) => paths[id] === path)!.path
}

describe('the path parameters', () => {
  test.each(['%', '%zz', '%C3', '%ff', '%00', 'a%00b', '%C0%AF'])(
    'with bad encoding, bad UTF-8 or NUL are 400: %s',
    async (bad) => {
      await expectRefusal(`/clips/${bad}`, 'clipId')
      await expectRefusal(`/clips/${bad}/transcript`, 'clipId')
      await expectRefusal(`/words/${bad}/clips`, 'word')
      await expectRefusal(`/words/${bad}`, 'word')
    },
  )

  test('that name nothing are 404', async () => {
    for (const path of [
      '/clips/nothing',
      '/clips/%20',
      '/clips/nothing/transcript',
      '/words/nothing/clips',
      '/words/%20/clips',
      '/words/nothing',
      '/words/%20',
      '/words/999',
    ])
      expect((await get(path)).json.error.code).toBe('not_found')
  })

  test('clip ids are taken in any case, video ids in theirs', async () => {
    const { clipId } = (await expectTaken('/clips/watchmaker')).json
    expect((await expectTaken(`/clips/${clipId.toUpperCase()}`)).json.videoId).toBe('watchmaker')
    expect((await get('/clips/WATCHMAKER')).status).toBe(404)
  })

  test('a plus in the path is a plus', async () => {
    expect((await get('/words/look+after/clips')).status).toBe(404)
    expect((await expectTaken('/words/look%20after/clips')).json.word.wordId).toBe(3)
  })
})

/** Values that are none of a parameter, and the paths that refuse them. Blanks part the values. */
const refused: [name: string, paths: string, values: string][] = [
  ['language', '/feed /words /words/run/clips', 'EN eng e en-GB 1a e%20 %C3%A9n en,tr +en'],
  ['gloss', '/feed /words /words/run/clips /clips/watchmaker', 'EN xx english e +en en,es'],
  ['level', '/feed', 'a1 A0 C3 A all A1-B1 +A1 A1,A2'],
  ['level', '/words /words/run/clips', 'a1 A1,b2 A1, ,A1 , A1,,A2 A1;A2 A1%20A2'],
  ['hasClips', '/words', 'True TRUE 1 0 yes no on false+ true,false'],
  [
    'limit',
    '/feed /words /words/run/clips',
    `0 00 101 1000 1e1 0x10 %2B5 +5 5+ -5 5.0 5,0 %D9%A5 five NaN Infinity ${'9'.repeat(400)} 18446744073709551617`,
  ],
  ['ids', '/words', 'x 1,x -1 1.0 0x1 1;2 1e1 , +,+ %D9%A5'],
  ['ids', '/clips', ','],
  ['match', '/sentences?q=run', 'Exact form all'],
  ['clipLevel', '/feed', 'a1 A1, all'],
  ['maxDurationS', '/feed', '0 181 1.5 -1 x'],
  ['hasFocusWord', '/feed', 'True 1 yes ,'],
  ['context', '/feed', 'True 1 yes ,'],
  ['channel', '/feed', ','],
]

test.each(refused)('%s of %s is none of %s', async (name, paths, values) => {
  for (const path of paths.split(' '))
    for (const value of values.split(' '))
      await expectRefusal(`${path}${path.includes('?') ? '&' : '?'}${name}=${value}`, name)
})

describe('language', () => {
  test('that the corpus does not hold gives an empty page, and 404 for the clips of a word', async () => {
    expect((await expectTaken('/feed?language=xx&seed=s')).text).toBe(
      '{"seed":"s","items":[],"nextCursor":null}',
    )
    expect((await expectTaken('/words?language=xx')).text).toBe(
      '{"words":[],"totalCount":0,"nextCursor":null}',
    )
    expect((await get('/words/run/clips?language=xx')).json.error.code).toBe('not_found')
  })

  test('is en unless given', async () => {
    expect((await expectTaken('/words?q=su')).json.totalCount).toBe(0)
    expect((await expectTaken('/words?q=su&language=tr')).json.totalCount).toBe(1)
  })
})

describe('gloss', () => {
  test.each(glosses)('%s is taken', async (gloss) => {
    for (const path of ['/feed', '/words', '/words/run/clips', '/clips/watchmaker'])
      await expectTaken(`${path}?gloss=${gloss}`)
  })

  test('that a meaning lacks gives the English one, and nothing where there is none', async () => {
    const meaning = async (q: string, gloss: string) =>
      (await expectTaken(`/words?q=${q}&gloss=${gloss}`)).json.words[0].meaning
    expect(await meaning('cat', 'es')).toBe('gato')
    expect(await meaning('cat', 'zh')).toBe('a small animal that purrs')
    expect(await meaning('meticulous', 'en')).toBe('')
  })
})

describe('level', () => {
  test('as a list restricts, in any order, with blanks around the items and repetitions', async () => {
    const words = async (level: string) =>
      (await expectTaken(`/words?level=${level}&hasClips=false`)).json.words.map(
        ({ level }: { level: string }) => level,
      )
    expect(new Set(await words('A2'))).toEqual(new Set(['A2']))
    expect(new Set(await words('C2,+A2+,%20A2'))).toEqual(new Set(['A2', 'C2']))
    expect((await expectTaken('/words/run/clips?level=C1')).json.totalCount).toBe(1)
    expect((await expectTaken('/words/run/clips')).json.totalCount).toBe(3)
  })
})

describe('hasClips', () => {
  test('is true unless given; false lifts the restriction', async () => {
    const count = async (query: string) => (await expectTaken(`/words?${query}`)).json.totalCount
    expect([await count(''), await count('hasClips=true'), await count('hasClips=false')]).toEqual([8, 8, 10])
  })
})

describe('limit', () => {
  test.each([
    ['1', 1],
    ['007', 7],
    ['100', 10],
  ])('%s is taken', async (value, count) => {
    expect((await expectTaken(`/words?hasClips=false&limit=${value}`)).json.words).toHaveLength(count)
    await expectTaken(`/feed?limit=${value}`)
    await expectTaken(`/words/run/clips?limit=${value}`)
  })
})

describe('ids of words', () => {
  test('are 1 to 100', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => i + 1).join()
    expect((await expectTaken(`/words?ids=${list(100)}`)).json.totalCount).toBe(10)
    await expectRefusal(`/words?ids=${list(101)}`, 'ids')
    await expectRefusal(`/words?ids=${'1,'.repeat(101)}`, 'ids')
  })

  test('give the words in the order asked, each once, in whatever language; those of nothing are left out', async () => {
    const { json } = await expectTaken('/words?ids=+102+,9,,7,999,9,101,9007199254740993,007&gloss=es')
    expect(json.words.map(({ wordId }: { wordId: number }) => wordId)).toEqual([102, 9, 7, 101])
    expect(json.words[1].meaning).toBe('meticuloso')
    expect(json).toMatchObject({ totalCount: 4, nextCursor: null })
  })

  test.each(['q=run', 'language=en', 'level=A1', 'hasClips=true', 'limit=5', 'cursor=x'])(
    'with %s are 400, and ids is what is named',
    async (other) => {
      await expectRefusal(`/words?ids=1&${other}`, 'ids')
      await expectRefusal(`/words?${other}&ids=1`, 'ids')
      expect((await get(`/words?ids=1&${other}`)).json.error.message).toContain(other.split('=')[0])
    },
  )

  test('with empty ones of these are taken', async () => {
    await expectTaken('/words?ids=1&q=&language=&cursor=')
  })
})

describe('q of a search in what is said', () => {
  test('has at most 12 words', async () => {
    await expectTaken(`/sentences?q=${'a+'.repeat(12)}`)
    await expectRefusal(`/sentences?q=${'a+'.repeat(13)}`, 'q')
    await expectRefusal(`/sentences?q=${'a'.repeat(101)}`, 'q')
  })

  test('in which nothing is spoken matches nothing', async () => {
    expect((await expectTaken('/sentences?q=%3F!')).text).toBe(
      '{"items":[],"totalCount":0,"nextCursor":null}',
    )
  })

  test('is taken from a cursor, and must not differ from it', async () => {
    const { nextCursor } = (await expectTaken('/sentences?q=the+cat&match=exact&limit=1')).json
    const next = (await expectTaken(`/sentences?cursor=${nextCursor}`)).json
    expect((await expectTaken(`/sentences?q=the+cat&match=exact&cursor=${nextCursor}`)).json).toEqual(next)
    await expectRefusal(`/sentences?q=the&cursor=${nextCursor}`, 'q')
    await expectRefusal(`/sentences?match=forms&cursor=${nextCursor}`, 'match')
  })
})

describe('match', () => {
  test('is forms unless given', async () => {
    const kinds = async (query: string) =>
      (await expectTaken(`/sentences?${query}`)).json.items.flatMap(({ matches }: SentenceClip) =>
        matches.map(({ text, start, end, kind }) => [[...text].slice(start, end).join(''), kind]),
      )
    expect((await kinds('q=I+ran')).toSorted()).toEqual([
      ['I ran', 'exact'],
      ['I run', 'form'],
      ['I run', 'form'],
    ])
    expect(await kinds('q=i+RAN&match=exact')).toEqual([['I ran', 'exact']])
  })
})

describe('ids of clips', () => {
  test('are 1 to 50', async () => {
    await expectTaken(`/clips?ids=${Array.from({ length: 50 }, (_, i) => `v${i}`).join()}`)
    await expectRefusal(`/clips?ids=${Array.from({ length: 51 }, (_, i) => `v${i}`).join()}`, 'ids')
  })

  test('give the clips in the order asked, each once, and the ids of nothing as they were sent', async () => {
    const { clipId } = (await get('/clips/watchmaker')).json
    const ids = ['ilik-su', 'Nothing', clipId.toUpperCase(), 'watchmaker', 'Nothing', '%3F%22', 'bonjour']
    const { json } = await expectTaken(`/clips?ids=${ids.join('+,')}`)
    expect(json.items.map(({ videoId }: { videoId: string }) => videoId)).toEqual([
      'ilik-su',
      'watchmaker',
      'bonjour',
    ])
    expect(json.missing).toEqual(['Nothing', '?"'])
  })
})

describe('the filters of the feed', () => {
  test('channel takes 1 to 20 ids', async () => {
    await expectTaken(`/feed?channel=${'x,'.repeat(20)}`)
    await expectRefusal(`/feed?channel=${'x,'.repeat(21)}`, 'channel')
  })

  test('leave clips out, and leave the order of the others as it is', async () => {
    const idsOf = async (query: string) =>
      (await expectTaken(`/feed?seed=s&limit=100&${query}`)).json.items.map(
        ({ clip }: { clip: { videoId: string } }) => clip.videoId,
      )
    const all = await idsOf('')
    expect(all.toSorted()).toEqual(englishVideoIds)
    const easy = ['cat-sitter', 'morning-run', 'at-the-beach']
    const inOrder = all.filter((id: string) => easy.includes(id))
    expect(await idsOf('clipLevel=A1,A2')).toEqual(inOrder)
    expect(await idsOf('clipLevel=A2,A1&exclude=cat-sitter')).toEqual(
      inOrder.filter((id: string) => id !== 'cat-sitter'),
    )
    expect(await idsOf('channel=channel-en,none')).toEqual(all)
    expect(await idsOf('channel=channel-tr')).toEqual([])
    expect(await idsOf('maxDurationS=60')).toEqual(all)
    expect(await idsOf('maxDurationS=59')).toEqual([])
  })
})

describe('seed', () => {
  test('has at most 64 characters, astral ones counted once', async () => {
    for (const char of ['a', 'é', '🐈']) {
      const seed = char.repeat(64)
      expect((await expectTaken(`/feed?seed=${encodeURIComponent(seed)}`)).json.seed).toBe(seed)
      await expectRefusal(`/feed?seed=${encodeURIComponent(seed + char)}`, 'seed')
    }
  })

  test('is echoed, with + and %20 as a space and blanks kept', async () => {
    expect((await expectTaken('/feed?seed=a+b%20c+')).json.seed).toBe('a b c ')
  })

  test('is made by the service where none is given: at least 96 random bits, others each time', async () => {
    const seeds = new Set<string>()
    for (let i = 0; i < 20; i++) seeds.add((await expectTaken('/feed')).json.seed)
    expect(seeds.size).toBe(20)
    for (const seed of seeds) {
      expect(seed).toMatch(/^[\w-]{16,64}$/)
      expect(Buffer.from(seed, 'base64url').length).toBeGreaterThanOrEqual(12)
    }
  })

  test('that was echoed makes the same shuffle again', async () => {
    const first = (await expectTaken('/feed')).json
    expect((await expectTaken(`/feed?seed=${encodeURIComponent(first.seed)}`)).json).toEqual(first)
  })
})

describe('exclude', () => {
  const left = async (exclude: string): Promise<string[]> =>
    (await expectTaken(`/feed?exclude=${exclude}`)).json.items
      .map(({ clip }: { clip: { videoId: string } }) => clip.videoId)
      .sort()

  test('leaves out clip ids and video ids mixed, blanks trimmed, empty entries dropped', async () => {
    const { clipId } = (await expectTaken('/clips/watchmaker')).json
    const exclude = `,%20cat-sitter+,,${clipId.toUpperCase()},`
    expect(await left(exclude)).toEqual(
      englishVideoIds.filter((id) => id !== 'cat-sitter' && id !== 'watchmaker'),
    )
  })

  test('ignores ids that name nothing, or clips of another language', async () => {
    expect(await left('nothing,CAT-SITTER,bonjour,00000000-0000-4000-8000-000000000000')).toEqual(
      englishVideoIds,
    )
    expect(await left(',+,')).toEqual(englishVideoIds)
  })

  test('takes 50 ids, empty entries not counted, and no more', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `id${i}`)
    expect(await left(`,,${ids.join(',')},+,`)).toEqual(englishVideoIds)
    await expectRefusal(`/feed?exclude=${ids.join(',')},one`, 'exclude')
    await expectRefusal(`/feed?exclude=${Array.from({ length: 51 }, () => 'same').join(',')}`, 'exclude')
  })

  test('may leave nothing', async () => {
    const answer = await expectTaken(`/feed?seed=s&exclude=${englishVideoIds.join(',')}`)
    expect(answer.text).toBe('{"seed":"s","items":[],"nextCursor":null}')
  })
})

describe('q', () => {
  test('has at most 100 characters after trimming, astral ones counted once', async () => {
    for (const char of ['a', '猫', '🐈']) {
      const q = char.repeat(100)
      await expectTaken(`/words?q=${encodeURIComponent(`  ${q} `)}`)
      await expectRefusal(`/words?q=${encodeURIComponent(q + char)}`, 'q')
    }
  })

  test('is trimmed, and + is a space', async () => {
    const found = async (q: string) =>
      (await expectTaken(`/words?q=${q}`)).json.words.map(({ word }: { word: string }) => word)
    expect(await found('++look+after%20')).toEqual(['look after'])
    expect(await found('look%2Bafter')).toEqual([])
    expect(await found('and%2For&hasClips=false')).toEqual(['and/or'])
  })

  test('ignores case and diacritics', async () => {
    for (const q of ['CAFE', 'caf%C3%A9', 'cafe%CC%81', 'CAF%C3%89'])
      expect((await expectTaken(`/words?q=${q}`)).json.words[0].word).toBe('café')
  })

  test('finds nothing without an error', async () => {
    expect((await expectTaken('/words?q=zzz')).text).toBe('{"words":[],"totalCount":0,"nextCursor":null}')
  })
})

test('the paths tried here are the paths of the contract', () => {
  for (const { id, path } of operations) {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`)
    expect(paths[id]).toMatch(pattern)
  }
  expect(basePath).toBe('/v1')
})
