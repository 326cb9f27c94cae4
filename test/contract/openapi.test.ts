import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { cacheClasses } from '#contract/headers.ts'
import { openApiDocument } from '#contract/openapi.ts'
import { operations } from '#contract/operations.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  style?: string
  explode?: boolean
  schema: Record<string, unknown>
}
interface Response {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: Record<string, unknown> }>
}
interface OperationObject {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: object[]
  parameters?: Parameter[]
  responses: Record<string, Response>
}

const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  openapi: string
  info: { title: string; version: string; license: { name: string } }
  servers: { url: string }[]
  security: object[]
  tags: { name: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, Record<string, unknown>>; securitySchemes: Record<string, object> }
}
const all = Object.entries(document.paths).map(([path, methods]) => ({ path, ...methods.get! }))
const named = (id: string) => all.find(({ operationId }) => operationId === id)!

/** A shared header. */
const headerOf = ({ $ref }: { $ref: string }) => resolve($ref) as { required?: boolean; schema: object }

/** Yields every object in the document with its path. */
function* nodes(value: unknown, at = '#'): Generator<[string, Record<string, unknown>]> {
  if (value === null || typeof value !== 'object') return
  if (!Array.isArray(value)) yield [at, value as Record<string, unknown>]
  for (const [key, child] of Object.entries(value))
    yield* nodes(child, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

function resolve(ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, key) =>
        (value as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    )
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info.title).not.toBe('')
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(document.info.license.name).toBe('MIT')
  })

  test('gives the API’s address: relative to the document unless an address is set', () => {
    expect(document.servers).toEqual([{ url: '/v1' }])
    expect(openApiDocument('https://clips.example').servers).toEqual([{ url: 'https://clips.example/v1' }])
  })

  test('has no dangling reference', () => {
    const refs = [...nodes(document)].flatMap(([at, node]) =>
      typeof node.$ref === 'string' ? [[at, node.$ref]] : [],
    )
    expect(refs.length).toBeGreaterThan(10)
    for (const [at, ref] of refs) {
      expect(ref).toMatch(/^#\/components\//)
      expect({ at, ref, found: resolve(ref!) !== undefined }).toEqual({ at, ref, found: true })
    }
  })

  test('uses only JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      strict: true,
      validateFormats: false,
      keywords: ['example'],
      allowUnionTypes: true,
    })
    const schemas = [...nodes(document)].filter(([at]) => /\/(schemas\/\w+|schema)$/.test(at))
    expect(schemas.length).toBeGreaterThan(50)
    for (const [at, schema] of schemas) {
      // A reference outside this piece is checked where it points to.
      const alone = JSON.parse(JSON.stringify(schema), (_, value) =>
        typeof value === 'object' && value !== null && '$ref' in value ? {} : value,
      )
      expect(() => ajv.compile(alone), at).not.toThrow()
    }
  })

  test('has examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(document, 'openapi')
    let count = 0
    for (const [at, node] of nodes(document)) {
      if (!('example' in node) || !/\/(schema|properties\/\w+|schemas\/\w+|items)$/.test(at)) continue
      const validate = ajv.compile({ $ref: `openapi${encodeURI(at)}` })
      const expected = { at, valid: true }
      expect({ at, valid: validate(node.example), errors: validate.errors }).toMatchObject(expected)
      count++
    }
    expect(count).toBeGreaterThan(30)
  })
})

describe('operations', () => {
  test('are those of the table: each is a GET with a unique name', () => {
    expect(all.map(({ path, operationId }) => [path, operationId])).toEqual(
      operations.map(({ path, id }) => [path, id]),
    )
    for (const methods of Object.values(document.paths)) expect(Object.keys(methods)).toEqual(['get'])
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  })

  test('that need no key say so; the others require a bearer key', () => {
    expect(document.security).toEqual([{ key: [] }])
    expect(document.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' })
    const open = all.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId)
    expect(open).toEqual(['getCorpus', 'getChanges', 'getOpenApi'])
    for (const { security } of all) expect(security ?? []).toEqual([])
  })
})

describe('parameters', () => {
  test('accept every share with two decimals, of which binary fractions make no exact multiples', () => {
    const shares = all
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ name }) => name === 'minKnownShare')
    expect(shares.length).toBeGreaterThan(0)
    for (const { schema } of shares) {
      const isValid = new Ajv2020({ keywords: ['example'] }).compile(schema)
      for (let hundredths = 0; hundredths <= 100; hundredths++)
        expect(isValid(hundredths / 100), String(hundredths)).toBe(true)
    }
  })

  // As in the contract, section 1.5, and the specification, section 4.
  const expected: Record<string, string> = {
    getFeed:
      'language gloss level exclude clipLevel channel maxDurationS hasFocusWord context known minKnownShare maxUnknown seed limit cursor',
    listClips: 'ids gloss',
    getClip: 'gloss',
    getTranscript: '',
    listWords: 'q in language gloss level hasClips ids spellings limit cursor',
    getWord: 'language gloss',
    listWordClips:
      'language gloss level exclude channel maxDurationS known minKnownShare maxUnknown context limit cursor',
    searchSentences:
      'q language gloss match level exclude channel maxDurationS known minKnownShare maxUnknown context limit cursor',
    getCorpus: '',
    getChanges: 'since',
    getUsage: '',
    getOpenApi: '',
  }

  test.each(Object.entries(expected))('in the query of %s are all listed and described', (id, names) => {
    const query = (named(id).parameters ?? []).filter((parameter) => parameter.in === 'query')
    expect(query.map(({ name }) => name).join(' ')).toBe(names)
    for (const { description } of query) expect(description).toMatch(/\w/)
  })

  test('of known state the limits of the list, which a schema of its items cannot', () => {
    const lists = all.flatMap(({ parameters = [] }) => parameters).filter(({ name }) => name === 'known')
    expect(lists).toHaveLength(3)
    for (const { description } of lists)
      expect(description).toMatch(/at most 200,000 word ids .* at most 6,000 characters/)
  })

  test('are required if the operation makes no sense without them', () => {
    const required = all.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map(({ name }) => `${operationId} ${name}`),
    )
    expect(required).toEqual(['listClips ids', 'getChanges since'])
  })

  test('in the header are only If-None-Match, on responses that may be cached', () => {
    for (const { id, cache } of operations) {
      const inHeader = (named(id).parameters ?? []).filter((parameter) => parameter.in === 'header')
      expect(inHeader.map(({ name }) => name)).toEqual(cache === 'never' ? [] : ['If-None-Match'])
    }
  })

  test('show the defaults, which a client may also send', () => {
    const found = all.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap(({ name, schema }) =>
        schema.default === undefined ? [] : [`${operationId} ${name}=${schema.default as string}`],
      ),
    )
    // With a cursor, or with ids, omitting the others has another meaning.
    expect(found.sort()).toEqual([
      'getClip gloss=en',
      'getFeed gloss=en',
      'getFeed limit=20',
      'getWord gloss=en',
      'getWord language=en',
      'listClips gloss=en',
      'listWordClips gloss=en',
      'listWordClips limit=20',
      'listWords gloss=en',
      'searchSentences gloss=en',
      'searchSentences limit=20',
    ])
  })

  test.each([
    ['getFeed', 'limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
    ['listWords', 'q', { minLength: 1, maxLength: 100 }],
    ['getFeed', 'seed', { minLength: 1, maxLength: 64 }],
    ['getFeed', 'cursor', { maxLength: 512 }],
    ['getFeed', 'exclude', { type: 'array', maxItems: 50 }],
    ['listWords', 'ids', { type: 'array', minItems: 1, maxItems: 100 }],
    ['listClips', 'ids', { type: 'array', minItems: 1, maxItems: 50 }],
    ['getFeed', 'channel', { type: 'array', minItems: 1, maxItems: 20 }],
    ['getFeed', 'maxDurationS', { type: 'integer', minimum: 1, maximum: 180 }],
    ['listWords', 'hasClips', { type: 'boolean' }],
    ['listWords', 'language', { pattern: '^[a-z]{2}$' }],
  ])('show the bounds that the service checks: %s %s', (id, name, bounds) => {
    expect(named(id).parameters!.find((parameter) => parameter.name === name)!.schema).toMatchObject(bounds)
  })

  test('with several values are separated by commas', () => {
    const lists = all
      .flatMap(({ parameters = [] }) => parameters)
      .filter(({ schema }) => schema.type === 'array')
    const names = [...new Set(lists.map(({ name }) => name))].sort()
    expect(names).toEqual(['channel', 'clipLevel', 'exclude', 'ids', 'known', 'level', 'spellings'])
    for (const { style, explode } of lists)
      expect({ style, explode }).toEqual({ style: 'form', explode: false })
  })
})

describe('responses', () => {
  test('list the window headers on every status, Retry-After only on 429, and the cache class on 200', () => {
    for (const { id, cache } of operations)
      for (const [status, { headers = {} }] of Object.entries(named(id).responses)) {
        if (status === '304') continue
        const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(rateHeaders))
        expect('Retry-After' in headers).toBe(status === '429')
        if (status === '200')
          expect(headerOf(headers['Cache-Control']!).schema).toMatchObject({ const: cacheClasses[cache] })
      }
  })

  test('may gain fields, so clients must accept unknown ones', () => {
    for (const [at, node] of nodes(document))
      expect({ at, other: node.additionalProperties }).not.toEqual({ at, other: false })
  })
})
