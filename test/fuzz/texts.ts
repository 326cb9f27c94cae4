/** Random texts and JSON values that are nearly right: samples with a few changes. */
import fc from 'fast-check'

const oddTexts = [
  '',
  '\0',
  '\ufeff',
  '\u2028',
  '\ud83d',
  '🐈',
  '\u0301',
  '\u200b',
  'ﬃ',
  'İ',
  '\r',
  '\n\n',
  '\t',
  '\\',
  '"',
  "'",
  '-->',
  '<',
  '</',
  '&#0;',
  '&#x110000;',
  '&amp',
  '%',
  '{',
  '}',
  '[',
  ']',
  '-',
  '--',
  ',',
  ';',
  '|',
  '=',
  '0',
  '-1',
  '99:99:99,999',
  '1e999',
  'NaN',
  'null',
  '__proto__',
  'constructor',
  'a'.repeat(3_000),
]
const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.integer().map(String),
)

type Edit = {
  from: number
  length: number
  kind: 'cut' | 'insert' | 'replace' | 'repeat' | 'end'
  text: string
}
const edit: fc.Arbitrary<Edit> = fc.record({
  from: fc.nat(),
  length: fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 200 })),
  kind: fc.constantFrom('cut', 'insert', 'replace', 'repeat', 'end'),
  text: oddText,
})

function applyEdit(whole: string, { from, length, kind, text }: Edit): string {
  const at = from % (whole.length + 1)
  const [before, part, after] = [whole.slice(0, at), whole.slice(at, at + length), whole.slice(at + length)]
  if (kind === 'cut') return before + after
  if (kind === 'insert') return before + text + part + after
  if (kind === 'replace') return before + text + after
  if (kind === 'repeat') return before + part.repeat(3) + after
  return before
}

/** Generates one of some texts, with up to four edits. */
export function nearly(...samples: string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 4 }))
    .map(([sample, edits]) => edits.reduce(applyEdit, sample))
}

const encodings: Record<string, (text: string) => Buffer> = {
  utf8: (text) => Buffer.from(text),
  'utf8 with BOM': (text) => Buffer.from(`\ufeff${text}`),
  utf16le: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  latin1: (text) => Buffer.from(text, 'latin1'),
}

/** Generates a text as bytes in one of some encodings, occasionally with invalid bytes. */
export function encoded(text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> {
  const encoding = fc.constantFrom('utf8', 'utf8', 'utf8', ...Object.keys(encodings))
  const broken = fc.tuple(fc.nat(), fc.constantFrom(0, 0x80, 0xff, 0xc3))
  return fc.tuple(text, encoding, fc.option(broken, { freq: 4 })).map(([text, encoding, broken]) => {
    const bytes = encodings[encoding]!(text)
    if (broken && bytes.length > 0) bytes[broken[0] % bytes.length] = broken[1]
    return bytes
  })
}

const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e21,
    2 ** 31,
    2 ** 53,
    -0,
    1e-7,
    [],
    {},
    [[]],
    [null],
  ),
  oddText,
  fc.constantFrom<unknown>(['a', 'a'], { '': '' }, JSON.parse('{"__proto__":{"a":1}}'), { constructor: 1 }),
)
type Change = { place: number; kind: 'set' | 'remove' | 'repeat' | 'wrap' | 'add'; value: unknown }
const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('set', 'set', 'remove', 'repeat', 'wrap', 'add'),
  value: oddValue,
})

/** Lists every place in a JSON value: a container, and a key or index of it. */
function placesIn(container: object): [container: any, key: any][] {
  return Object.entries(container).flatMap(([key, value]) => [
    [container, key],
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ])
}

function applyChange(root: object, { place, kind, value }: Change): void {
  const places = placesIn(root)
  if (places.length === 0) return
  const [container, key] = places[place % places.length]!
  if (kind === 'set') container[key] = value
  else if (kind === 'wrap') container[key] = [container[key]]
  else if (kind === 'add' && !Array.isArray(container)) container.extra = value
  else if (!Array.isArray(container)) delete container[key]
  else if (kind === 'remove') container.splice(Number(key), 1)
  else container.splice(Number(key), 0, container[key])
}

/** Generates the JSON of one of some values, with up to three changes of its structure. */
export function nearlyJson(...samples: unknown[]): fc.Arbitrary<string> {
  const changes = fc.array(change, { maxLength: 3 })
  return fc.tuple(fc.constantFrom(...samples), changes).map(([sample, changes]) => {
    const root = { value: structuredClone(sample) }
    for (const each of changes) applyChange(root, each)
    return JSON.stringify(root.value ?? null)
  })
}
