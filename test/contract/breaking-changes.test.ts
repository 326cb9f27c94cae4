import { expect, test } from 'vitest'
import packageInfo from '../../package.json' with { type: 'json' }
import { breakingChanges, type OpenApi } from './breaking-changes.ts'
import { currentDocument, readReleased } from './freeze-openapi.ts'
import type { Schema } from './subschema-faults.ts'

test('the OpenAPI document breaks no caller of the last released version', () => {
  expect(breakingChanges(readReleased().document, currentDocument())).toEqual([])
})

// At a release, run `node test/contract/freeze-openapi.ts`.
test('the frozen document is the one for the version in package.json', () => {
  expect(readReleased().version).toBe(packageInfo.version)
})

/** A change to the document, and the faults that it must cause. */
type Change = [description: string, change: (document: any) => void, ...faults: string[]]

const feed = (document: OpenApi) => document.paths['/feed']!.get!
const parameterOf = (document: OpenApi, name: string) =>
  feed(document).parameters!.find((parameter) => parameter.name === name)!
const property = (document: OpenApi, schema: string, name: string) =>
  document.components.schemas[schema]!.properties![name]!

const breaking: Change[] = [
  ['an operation is removed', ({ paths }) => delete paths['/feed'], 'GET /feed: removed'],
  [
    'a path is renamed',
    ({ paths }) => {
      paths['/videos'] = paths['/clips']
      delete paths['/clips']
    },
    'GET /clips: removed',
  ],
  [
    'an operation is renamed',
    (document) => (feed(document).operationId = 'walkFeed'),
    'GET /feed: operationId is walkFeed, not getFeed',
  ],
  [
    'a public operation needs a key',
    ({ paths }) => delete paths['/corpus'].get.security,
    'GET /corpus: needs the security [{"key":[]}], not []',
  ],
  ['the base path changes', ({ servers }) => (servers[0].url = '/v2'), 'the base path is /v2, not /v1'],
  [
    'a parameter is removed',
    (document) =>
      (feed(document).parameters = feed(document).parameters!.filter(({ name }) => name !== 'seed')),
    'GET /feed, query parameter seed: removed',
  ],
  [
    'a parameter is renamed',
    (document) => (parameterOf(document, 'seed').name = 'shuffle'),
    'GET /feed, query parameter seed: removed',
  ],
  [
    'a new parameter is required',
    (document) =>
      feed(document).parameters!.push({
        name: 'region',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
    'GET /feed, query parameter region: newly required',
  ],
  [
    'a parameter becomes required',
    (document) => (parameterOf(document, 'seed').required = true),
    'GET /feed, query parameter seed: newly required',
  ],
  [
    'a list is written differently',
    (document) => (parameterOf(document, 'exclude').explode = true),
    'GET /feed, query parameter exclude: explode is true, not false',
  ],
  [
    'a default changes',
    (document) => (parameterOf(document, 'limit').schema.default = 10),
    'GET /feed, query parameter limit: the default is 10, not 20',
  ],
  [
    'a parameter has another type',
    (document) => (parameterOf(document, 'maxDurationS').schema.type = 'string'),
    'GET /feed, query parameter maxDurationS: can be integer, not only string',
  ],
  [
    'a parameter takes a smaller range',
    (document) => (parameterOf(document, 'limit').schema.maximum = 50),
    'GET /feed, query parameter limit: maximum is 100, not 50',
  ],
  [
    'a list takes fewer items',
    (document) => (parameterOf(document, 'exclude').schema.maxItems = 40),
    'GET /feed, query parameter exclude: maxItems is 50, not 40',
  ],
  [
    'a parameter takes fewer values',
    (document) => (parameterOf(document, 'gloss').schema = { type: 'string', enum: ['en'], default: 'en' }),
    'GET /feed, query parameter gloss: can be es, ja, pt, ru, tr, zh, not only en',
  ],
  [
    'a parameter gets a pattern',
    (document) => (parameterOf(document, 'seed').schema.pattern = '^[a-z]+$'),
    'GET /feed, query parameter seed: pattern is undefined, not ^[a-z]+$',
  ],
  [
    'a field is removed',
    (document) => delete document.components.schemas.Usage.properties.plan,
    'GET /usage, 200.plan: removed',
  ],
  [
    'a field is no longer always there',
    (document) => (document.components.schemas.Usage.required = ['plan']),
    ...['periodStart', 'periodEnd', 'requests', 'limit', 'rateLimitPerMinute'].map(
      (name) => `GET /usage, 200.${name}: no longer always present`,
    ),
  ],
  [
    'a field has another type',
    (document) => (property(document, 'Usage', 'requests').type = 'string'),
    'GET /usage, 200.requests: can be string, not only integer',
  ],
  [
    'a whole number becomes any number',
    (document) => (property(document, 'Usage', 'requests').type = 'number'),
    'GET /usage, 200.requests: can be number, not only integer',
  ],
  [
    'a field can be null',
    (document) => (document.components.schemas.Usage.properties.plan = nullable({ type: 'string' })),
    'GET /usage, 200.plan: can be null, not only string',
  ],
  [
    'a field of an item of a list is removed',
    (document) => delete document.components.schemas.Cue.properties.text,
    'GET /clips/{clipId}/transcript, 200.cues[].text: removed',
  ],
  [
    'an enumeration in a response grows',
    (document) => property(document, 'Transcript', 'wordTiming').enum!.push('guessed'),
    'GET /clips/{clipId}/transcript, 200.wordTiming: can be guessed, not only measured, interpolated',
  ],
  [
    'an enumeration in a response becomes any text',
    (document) => delete document.components.schemas.Transcript.properties.wordTiming.enum,
    'GET /clips/{clipId}/transcript, 200.wordTiming: can be any value, not only measured, interpolated',
  ],
  [
    'a bound of a response is lifted',
    (document) => (property(document, 'FeedItem', 'knownShare').maximum = 100),
    'GET /feed, 200.items[].knownShare: maximum is 100, not 1',
  ],
  [
    'the values of a map have another type',
    (document) => (property(document, 'Cue', 'translations').additionalProperties = { type: 'object' }),
    'GET /clips/{clipId}/transcript, 200.cues[].translations.*: can be object, not only string',
  ],
  ['a status is added', (document) => (feed(document).responses['202'] = {}), 'GET /feed: new status 202'],
  [
    'a status is removed',
    (document) => delete document.paths['/usage'].get.responses['200'],
    'GET /usage: status 200 removed',
  ],
  [
    'a media type is replaced',
    (document) => (document.paths['/usage'].get.responses['200'].content = { 'text/csv': { schema: {} } }),
    'GET /usage, 200: application/json removed',
  ],
  [
    'a header is removed',
    (document) => delete document.paths['/usage'].get.responses['200'].headers['X-Request-Id'],
    'GET /usage, 200, header X-Request-Id: removed',
  ],
  [
    'a header is no longer always there',
    (document) =>
      (document.paths['/usage'].get.responses['200'].headers['X-Request-Id'] = {
        schema: { type: 'string' },
      }),
    'GET /usage, 200, header X-Request-Id: no longer always present',
  ],
]

const harmless: Change[] = [
  ['nothing', () => {}],
  [
    'an operation is added',
    ({ paths }) => (paths['/channels'] = { get: { ...paths['/usage'].get, operationId: 'listChannels' } }),
  ],
  ['a method is added', ({ paths }) => (paths['/usage'].post = paths['/usage'].get)],
  [
    'an optional parameter is added',
    (document) =>
      feed(document).parameters!.push({ name: 'region', in: 'query', schema: { type: 'string' } }),
  ],
  [
    'a required parameter becomes optional',
    ({ paths }) => paths['/clips'].get.parameters.forEach((p: any) => delete p.required),
  ],
  ['a parameter takes a larger range', (document) => (parameterOf(document, 'limit').schema.maximum = 200)],
  [
    'a parameter has no pattern any more',
    (document) => delete parameterOf(document, 'language').schema.pattern,
  ],
  [
    'a parameter takes more values',
    (document) =>
      (parameterOf(document, 'gloss').schema = {
        type: 'string',
        enum: glosses(document, 'de'),
        default: 'en',
      }),
  ],
  [
    'a parameter takes a text, too',
    (document) =>
      (parameterOf(document, 'maxDurationS').schema = { anyOf: [{ type: 'integer' }, { type: 'string' }] }),
  ],
  ['the order of parameters changes', (document) => feed(document).parameters!.reverse()],
  ['an operation needs no key any more', ({ paths }) => (paths['/usage'].get.security = [])],
  [
    'a field is added',
    (document) => (document.components.schemas.Usage.properties.region = { type: 'string' }),
  ],
  ['a field is always there', (document) => document.components.schemas.FeedItem.required.push('knownShare')],
  [
    'a field is never null any more',
    (document) =>
      (document.components.schemas.Usage.properties.limit = { type: 'integer', minimum: 0, maximum: 9 }),
  ],
  ['a number is always whole', (document) => (property(document, 'Cue', 'tStart').type = 'integer')],
  [
    'an enumeration in a response shrinks',
    (document) => property(document, 'Transcript', 'wordTiming').enum!.pop(),
  ],
  [
    'a bound of a response is narrower',
    (document) => (property(document, 'FeedItem', 'knownShare').maximum = 0.5),
  ],
  ['a schema is renamed', (document) => renameSchema(document, 'Usage', 'AccountUsage')],
  [
    'a header is added',
    (document) =>
      (document.paths['/usage'].get.responses['200'].headers['Deprecation'] = { schema: { type: 'string' } }),
  ],
  [
    'a media type is added',
    (document) => (document.paths['/usage'].get.responses['200'].content['text/csv'] = { schema: {} }),
  ],
]

test.each(breaking)('a change breaks callers if %s', (_, change, ...faults) => {
  expect(changesOf(change)).toEqual(expect.arrayContaining(faults))
})

test.each(harmless)('a change is harmless if %s', (_, change) => expect(changesOf(change)).toEqual([]))

/** Returns the breaking changes between the document and a copy that was changed. */
function changesOf(change: (document: any) => void): string[] {
  const document = currentDocument()
  change(document)
  return breakingChanges(currentDocument(), document)
}

function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}

function glosses({ components }: OpenApi, more: string): unknown[] {
  return [...components.schemas.Gloss!.enum!, more]
}

function renameSchema(document: any, name: string, newName: string): void {
  const reference = `"#/components/schemas/${name}"`
  const text = JSON.stringify(document).replaceAll(reference, `"#/components/schemas/${newName}"`)
  Object.assign(document, JSON.parse(text))
  document.components.schemas[newName] = document.components.schemas[name]
  delete document.components.schemas[name]
}
