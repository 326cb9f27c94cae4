import { describe, expect, test } from 'vitest'
import { matchPath, splitTarget } from '#proxy/http/match.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { sharedSmallService } from '../small-service.ts'

test.each([
  ['/v1/clips/transcript', 'getClip', { clipId: 'transcript' }],
  ['/v1/words/clips', 'getWord', { word: 'clips' }],
  ['/v1/words/and%2For/clips', 'listWordClips', { word: 'and%2For' }],
  ['/v1/words/clips/clips', 'listWordClips', { word: 'clips' }],
])('%s is %s', (path, id, pathValues) => {
  expect(matchPath(path)).toMatchObject({ operation: { id }, pathValues })
})

const others =
  '/ * /v1 /v1/ /feed /v2/feed /V1/feed /v1/Feed /v1/feed/ //v1/feed /v1//feed /v1/%66eed /v1/clips/ /v1/clips/abc/ /v1/clips//transcript /v1/clips/abc/transcript/ /v1/clips/abc/words /v1/words/ /v1/words/run/ /v1/words//clips /v1/words/and/or/clips /v1/openapi /v1/openapixjson /v1/feed;x=1 /v1/../v1/feed'
test.each(others.split(' '))('%j is not a path of the API', (path) => expect(matchPath(path)).toBeNull())

test.each([
  ['/v1/words?q=a', '/v1/words', 'q=a'],
  ['/v1/words', '/v1/words', ''],
  ['/v1/words?', '/v1/words', ''],
  ['/v1/words?q=a?b', '/v1/words', 'q=a?b'],
  ['http://example.org/v1/words?q=a', '/v1/words', 'q=a'],
  ['HTTPS://example.org:8443/v1/words', '/v1/words', ''],
  ['http://example.org', '', ''],
  ['http://example.org?q=a', '', 'q=a'],
  ['/http://example.org/v1/words', '/http://example.org/v1/words', ''],
  ['*', '*', ''],
])('splits the target %s at the first question mark after its origin', (target, path, query) => {
  expect(splitTarget(target)).toEqual({ path, query })
})

describe('over HTTP', () => {
  const service = sharedSmallService()
  const ask = async (line: string, ...headers: string[]) => {
    const authorization = `Authorization: Bearer ${service.key}`
    const [answer] = await sendRaw(service.origin, rawRequest(line, ...headers, authorization))
    return { status: answer!.status, json: JSON.parse(answer!.text) }
  }

  test('reads a target in absolute form as its path and query', async () => {
    const { json } = await ask('GET http://elsewhere.example:99/v1/words?q=run HTTP/1.1', 'Host: h')
    expect(json.words[0].word).toBe('run')
  })

  test('answers HTTP/1.0, with or without Host', async () => {
    for (const host of [[], ['Host: h']])
      expect(await ask('GET /v1/corpus HTTP/1.0', ...host)).toMatchObject({ status: 200 })
  })
})
