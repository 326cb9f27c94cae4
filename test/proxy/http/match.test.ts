import { describe, expect, test } from 'vitest'
import { matchPath, splitTarget } from '#proxy/http/match.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { sharedSmallService } from '../small-service.ts'

describe('a path', () => {
  test.each([
    ['/v1/feed', 'getFeed', {}],
    ['/v1/clips', 'listClips', {}],
    ['/v1/clips/abc', 'getClip', { clipId: 'abc' }],
    ['/v1/clips/transcript', 'getClip', { clipId: 'transcript' }],
    ['/v1/clips/abc/transcript', 'getTranscript', { clipId: 'abc' }],
    ['/v1/words', 'listWords', {}],
    ['/v1/words/run', 'getWord', { word: 'run' }],
    ['/v1/words/clips', 'getWord', { word: 'clips' }],
    ['/v1/words/and%2For/clips', 'listWordClips', { word: 'and%2For' }],
    ['/v1/words/clips/clips', 'listWordClips', { word: 'clips' }],
    ['/v1/sentences', 'searchSentences', {}],
    ['/v1/corpus', 'getCorpus', {}],
    ['/v1/changes', 'getChanges', {}],
    ['/v1/usage', 'getUsage', {}],
    ['/v1/openapi.json', 'getOpenApi', {}],
  ])('%s is %s', (path, id, pathValues) => {
    const match = matchPath(path)
    expect(match?.operation.id).toBe(id)
    expect(match?.pathValues).toEqual(pathValues)
  })

  const others =
    ' / * /v1 /v1/ /feed /v2/feed /V1/feed /v1/Feed /v1/feed/ //v1/feed /v1//feed /v1/%66eed /v1/clips/ /v1/clips/abc/ /v1/clips//transcript /v1/clips/abc/transcript/ /v1/clips/abc/words /v1/words/ /v1/words/run/ /v1/words//clips /v1/words/and/or/clips /v1/openapi /v1/openapixjson /v1/feed;x=1 /v1/../v1/feed'
  test.each(others.split(' '))('%j is none of ours', (path) => {
    expect(matchPath(path)).toBeNull()
  })
})

describe('a request target', () => {
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
  ])('%s is split at the first question mark, after its origin', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query })
  })
})

describe('over HTTP', () => {
  const service = sharedSmallService()

  test('a target in absolute form is taken as its path and query', async () => {
    const [answer] = await sendRaw(
      service.origin,
      rawRequest(
        'GET http://elsewhere.example:99/v1/words?q=run HTTP/1.1',
        'Host: h',
        `Authorization: Bearer ${service.key}`,
      ),
    )
    expect(JSON.parse(answer!.text).words[0].word).toBe('run')
  })

  // RFC 3986 section 2 has ASCII only, and so has Node's parser.
  test.each(['/v1/words/café/clips', '/v1/words?q=café', '/v1/words?other=café'])(
    'raw UTF-8 bytes in the target make it no HTTP request: %s',
    async (target) => {
      const [answer] = await sendRaw(
        service.origin,
        Buffer.from(
          rawRequest(`GET ${target} HTTP/1.1`, 'Host: h', `Authorization: Bearer ${service.key}`),
          'utf8',
        ),
      )
      expect(answer!.status).toBe(400)
      expect(JSON.parse(answer!.text).error.code).toBe('bad_request')
    },
  )

  test('HTTP/1.0 is answered, with or without Host', async () => {
    for (const host of [[], ['Host: h']]) {
      const [answer] = await sendRaw(service.origin, rawRequest('GET /v1/corpus HTTP/1.0', ...host))
      expect(answer!.status).toBe(200)
    }
  })
})
