import { expect, test } from 'vitest'
import { sha256 } from '#kit/digest.ts'
import { formatVersion, newManifest, parseCurrent, parseManifest, type Manifest } from '#release/manifest.ts'

const digest = sha256('').toString('hex')
const segment = { language: 'en', firstOrdinal: 0, digest, parts: 1, clips: 1, tokens: 1 }

const fields: Parameters<typeof newManifest>[0] = {
  release: '000001-00000000',
  tree: 't',
  history: [{ release: '000000-00000000', changes: digest }],
  builtAtMs: 1,
  content: 'c',
  ordinals: { en: 2 },
  corpus: 'data/corpus.0123456789abcdef.json',
  index: { en: { words: ['data/index/en/words.0123456789abcdef.json'], clips: [] } },
  sentences: [segment],
  files: { 'clips.bin': digest, 'words.bin': digest, 'spellings.bin': digest, 'changes.json': digest },
}
const manifest = newManifest(fields)

test('a manifest reads as it was written', () => {
  expect(parseManifest(JSON.stringify(manifest), 'm')).toEqual(manifest)
})

test('refuses a manifest if a field was altered', () => {
  const text = JSON.stringify({ ...manifest, builtAtMs: 2 })
  expect(() => parseManifest(text, 'm')).toThrow(`cannot open "m": it states the digest ${manifest.digest}`)
})

test.each<Partial<Manifest>>([
  { release: '../../000001-00000000' },
  { corpus: '../../etc/passwd' },
  { corpus: 'data/corpus. 0123456789abcdef.json' },
  { corpus: 'data/corpus.0123456789abcdef.json/../../../x' },
  { index: { '..': { words: [], clips: [] } } },
  { index: { en: { words: ['data/index/../words.0123456789abcdef.json'], clips: [] } } },
  { sentences: [{ ...segment, language: '../../..' }] },
  { sentences: [{ ...segment, digest: '../../../../../../../etc' }] },
])('refuses a manifest with a name that no build writes: %j', (altered) => {
  const text = JSON.stringify(newManifest({ ...fields, ...altered }))
  expect(() => parseManifest(text, 'm')).toThrow('cannot open "m": ')
})

test('refuses another format version and names both versions', () => {
  const text = JSON.stringify({ ...manifest, version: formatVersion + 1 })
  expect(() => parseManifest(text, 'releases/x/manifest.json')).toThrow(
    `cannot open "releases/x/manifest.json": it has format version ${formatVersion + 1}, but this program reads version ${formatVersion}`,
  )
})

test.each([
  ['{}', 'cannot open "m": it is not a file of the format "clip-lookup release"'],
  ['null', 'cannot open "m": it is not a file of the format "clip-lookup release"'],
  ['{', 'cannot read "m": it is not valid JSON'],
  [JSON.stringify({ ...manifest, ordinals: 5 }), 'cannot open "m": '],
])('refuses %s', (text, message) => {
  expect(() => parseManifest(text, 'm')).toThrow(SyntaxError)
  expect(() => parseManifest(text, 'm')).toThrow(message)
})

test('the pointer names a release', () => {
  expect(parseCurrent('{"release":"000001-0a1b2c3d"}', 'current.json')).toBe('000001-0a1b2c3d')
})

test.each(['', '{}', '{"release":"../../etc"}', '{"release":5}'])('%j is not a pointer', (text) => {
  expect(() => parseCurrent(text, 'current.json')).toThrow('cannot read "current.json"')
})
