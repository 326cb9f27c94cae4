import { expect, test } from 'vitest'
import packageInfo from '../../package.json' with { type: 'json' }
import { breakingChanges } from './breaking-changes.ts'
import { currentDocument, readReleased } from './freeze-openapi.ts'

const current = currentDocument()

test('the OpenAPI document breaks no caller of the last released version', () => {
  expect(breakingChanges(readReleased().document, current)).toEqual([])
})

// At a release, run `node test/contract/freeze-openapi.ts`.
test('the frozen document is the one for the version in package.json', () => {
  expect(readReleased().version).toBe(packageInfo.version)
})

/** Returns the parts of a document that the changes in this file modify. */
function partsOf(document: any) {
  const { paths, components } = document
  const [feed, usage] = [paths['/feed'].get, paths['/usage'].get]
  const parameters = Object.fromEntries(feed.parameters.map((parameter: any) => [parameter.name, parameter]))
  return { document, paths, feed, parameters, usage, ...components, answer: usage.responses['200'] }
}

type Change = (parts: any) => unknown

/** Returns the breaking changes between the document and a copy that was changed. */
function changesOf(change: Change): string[] {
  const document = structuredClone(current)
  change(partsOf(document))
  return breakingChanges(current, document)
}

const text = { type: 'string' }
const number = { type: 'number' }
const region = { name: 'region', in: 'query', schema: text }
const glosses = current.components.schemas.Gloss!.enum!
const textOr = (type: string) => ({ anyOf: [text, { type }] })

test.each<[fault: string, Change]>([
  ['the base path is /v2, not /v1', ({ document }) => (document.servers[0].url = '/v2')],
  ['GET /feed: removed', ({ paths }) => delete paths['/feed']],
  ['GET /clips: removed', ({ paths }) => rename(paths, '/clips', '/videos')],
  ['GET /feed: operationId is walk, not getFeed', ({ feed }) => (feed.operationId = 'walk')],
  [
    'GET /corpus: needs the security [{"key":[]}], not []',
    ({ paths }) => delete paths['/corpus'].get.security,
  ],
  ['GET /feed: new status 202', ({ feed }) => (feed.responses['202'] = {})],
  ['GET /usage: status 200 removed', ({ usage }) => delete usage.responses['200']],
  [
    'GET /usage, 200: application/json removed',
    ({ answer }) => rename(answer.content, 'application/json', 'text/csv'),
  ],
  ['GET /usage, 200, header X-Request-Id: removed', ({ answer }) => delete answer.headers['X-Request-Id']],
  [
    'GET /usage, 200, header X-Request-Id: no longer always present',
    ({ answer }) => (answer.headers['X-Request-Id'] = { schema: text }),
  ],
  [
    'GET /usage, 200.rateLimitPerMinute: no longer always present',
    ({ schemas }) => schemas.Usage.required.pop(),
  ],
])('a change breaks callers: %s', (fault, change) => expect(changesOf(change)).toContain(fault))

test.each<[fault: string, Change]>([
  ['seed: removed', ({ seed }) => (seed.name = 'shuffle')],
  ['region: newly required', ({ all }) => all.push({ ...region, required: true })],
  ['seed: newly required', ({ seed }) => (seed.required = true)],
  ['exclude: explode is true, not false', ({ exclude }) => (exclude.explode = true)],
  ['limit: the default is 10, not 20', ({ limit }) => (limit.schema.default = 10)],
  ['maxDurationS: can be integer, not only string', ({ maxDurationS }) => (maxDurationS.schema = text)],
  ['limit: maximum is 100, not 50', ({ limit }) => (limit.schema.maximum = 50)],
  ['exclude: maxItems is 50, not 40', ({ exclude }) => (exclude.schema.maxItems = 40)],
  ['gloss: can be es, ja, pt, ru, tr, zh, not only en', ({ gloss }) => (gloss.schema.enum = ['en'])],
  ['seed: pattern is undefined, not ^[a-z]+$', ({ seed }) => (seed.schema.pattern = '^[a-z]+$')],
])('a change breaks callers of the feed: query parameter %s', (fault, change) => {
  const faults = changesOf(({ feed, parameters }) => change({ ...parameters, all: feed.parameters }))
  expect(faults).toContain(`GET /feed, query parameter ${fault}`)
})

const transcript = '/clips/{clipId}/transcript, 200'

/** Faults, each with a schema and the change to the schema's fields that causes it. */
test.each<[fault: string, schema: string, change: (fields: any) => unknown]>([
  ['/usage, 200.plan: removed', 'Usage', (usage) => delete usage.plan],
  ['/usage, 200.plan: can be null, not only string', 'Usage', (usage) => (usage.plan = textOr('null'))],
  ['/usage, 200.requests: can be string, not only integer', 'Usage', (usage) => (usage.requests = text)],
  ['/usage, 200.requests: can be number, not only integer', 'Usage', (usage) => (usage.requests = number)],
  [
    '/feed, 200.items[].knownShare: maximum is 100, not 1',
    'FeedItem',
    (item) => (item.knownShare.maximum = 100),
  ],
  [`${transcript}.cues[].text: removed`, 'Cue', (cue) => delete cue.text],
  [
    `${transcript}.cues[].translations.*: can be object, not only string`,
    'Cue',
    ({ translations }) => (translations.additionalProperties = { type: 'object' }),
  ],
  [
    `${transcript}.wordTiming: can be x, not only measured, interpolated`,
    'Transcript',
    ({ wordTiming }) => wordTiming.enum.push('x'),
  ],
  [
    `${transcript}.wordTiming: can be any value, not only measured, interpolated`,
    'Transcript',
    ({ wordTiming }) => delete wordTiming.enum,
  ],
])('a change of fields breaks callers: GET %s', (fault, schema, change) => {
  expect(changesOf(({ schemas }) => change(schemas[schema].properties))).toContain(`GET ${fault}`)
})

test.each<[string, Change]>([
  ['nothing changes', () => {}],
  ['an operation is added', ({ paths, usage }) => (paths['/x'] = { get: { ...usage, operationId: 'x' } })],
  ['a method is added', ({ paths, usage }) => (paths['/usage'].post = usage)],
  ['an optional parameter is added', ({ feed }) => feed.parameters.push(region)],
  ['a parameter becomes optional', ({ paths }) => delete paths['/clips'].get.parameters[0].required],
  ['a parameter takes a larger range', ({ parameters }) => (parameters.limit.schema.maximum = 200)],
  ['a parameter has no pattern any more', ({ parameters }) => delete parameters.language.schema.pattern],
  [
    'a parameter takes more values',
    ({ parameters }) => (parameters.gloss.schema = { ...text, enum: [...glosses, 'de'], default: 'en' }),
  ],
  ['a parameter takes a text, too', ({ parameters }) => (parameters.maxDurationS.schema = textOr('integer'))],
  ['the order of parameters changes', ({ feed }) => feed.parameters.reverse()],
  ['an operation needs no key any more', ({ usage }) => (usage.security = [])],
  ['a field is added', ({ schemas }) => (schemas.Usage.properties.region = text)],
  ['a field is always there', ({ schemas }) => schemas.FeedItem.required.push('knownShare')],
  ['a field is never null any more', ({ schemas }) => schemas.Usage.properties.limit.anyOf.pop()],
  ['a number is always whole', ({ schemas }) => (schemas.Cue.properties.tStart.type = 'integer')],
  ['an enumeration shrinks', ({ schemas }) => schemas.Transcript.properties.wordTiming.enum.pop()],
  ['a bound is narrower', ({ schemas }) => (schemas.FeedItem.properties.knownShare.maximum = 0.5)],
  ['a schema is renamed', ({ document }) => renameSchema(document, 'Usage', 'X')],
  ['a header is added', ({ answer }) => (answer.headers['Deprecation'] = { schema: text })],
  ['a media type is added', ({ answer }) => (answer.content['text/csv'] = { schema: {} })],
])('a change is harmless if %s', (_, change) => expect(changesOf(change)).toEqual([]))

function rename(object: any, name: string, newName: string): void {
  object[newName] = object[name]
  delete object[name]
}

function renameSchema(document: any, name: string, newName: string): void {
  const reference = `"#/components/schemas/${name}"`
  const json = JSON.stringify(document).replaceAll(reference, `"#/components/schemas/${newName}"`)
  Object.assign(document, JSON.parse(json))
  rename(document.components.schemas, name, newName)
}
