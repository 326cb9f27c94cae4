import { expect, test } from 'vitest'
import { habitFaults } from '../../scripts/check-habits.ts'

const faults = (file: string, ...lines: string[]) => habitFaults(file, lines.join('\n'))
const wide = `wide ${'word '.repeat(20)}`

test.each([
  ['src/kit/a.ts', `// ${wide}`, ':1: a comment has at most 100 columns, this one has 108'],
  ['src/kit/a.ts', ` * ${wide}`, ':1: a comment has at most 100 columns, this one has 108'],
  ['src/kit/a.ts', 'const now = Date.now()', ':1: the time comes from a Clock (src/kit/clock.ts)'],
  ['src/build/a.ts', "import { a } from '../kit/a.ts'", ':1: another room is imported as #room/file.ts'],
  ['scripts/a.ts', 'const now = new Date()', ':1: the time comes from a Clock (src/kit/clock.ts)'],
  ['src/kit/a.ts', "throw new Error('no such file.')", ':1: the message of an error has no full stop'],
  ['scripts/a.ts', '// this mends the table', ':1: "mends" reads as a translation'],
  ['src/kit/a.ts', 'export function tidy() {}', ':1: tidy has no doc comment'],
  ['src/kit/utils.ts', '', ': a file is named after its one concept'],
])('%s with the line %j has a fault', (file, line, fault) => {
  expect(faults(file, line)).toEqual([file + fault])
})

test.each([
  ['src/kit/clock.ts', 'const now = Date.now()'],
  ['src/kit/a.ts', `const text = '${wide}'`],
  ['src/kit/a.ts', '/** What it gives. */\nexport function tidy() {}'],
  ['src/kit/a.ts', "throw new Error('a file such as a.ts')"],
  ['src/kit/a.ts', "const recommended = new Date('2026-01-01')"],
])('%s with %j has none', (file, text) => {
  expect(faults(file, text)).toEqual([])
})
