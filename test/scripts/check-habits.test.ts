import { expect, test } from 'vitest'
import { habitFaults } from '../../scripts/check-habits.ts'

const faults = (file: string, ...lines: string[]) => habitFaults(file, lines.join('\n'))
const wide = `wide ${'word '.repeat(20)}`

test.each([
  ['src/kit/a.ts', `// ${wide}`, 'a comment has at most 100 columns'],
  ['src/kit/a.ts', ` * ${wide}`, 'a comment has at most 100 columns'],
  ['src/kit/a.ts', 'const now = Date.now()', 'the time comes from a Clock (src/kit/clock.ts)'],
  ['scripts/a.ts', 'const now = new Date()', 'the time comes from a Clock (src/kit/clock.ts)'],
  ['src/nightly/a.ts', "import { a } from '../kit/a.ts'", 'another folder is imported as #folder/file.ts'],
  ['src/kit/a.ts', "throw new Error('no such file.')", 'the message of an error has no full stop'],
  ['scripts/a.ts', '// this mends the table', 'reads as a translation'],
  ['src/kit/a.ts', 'export function tidy() {}', 'it has no doc comment'],
  ['src/kit/utils.ts', '', 'a file is named after its one concept'],
])('%s with the line %j has a fault', (file, line, fault) => {
  expect(faults(file, '', line)).toEqual([expect.stringMatching(`^${file}:[12]: `)])
  expect(faults(file, '', line)[0]).toContain(fault)
})

test.each([
  ['src/kit/clock.ts', 'const now = Date.now()'],
  ['src/kit/a.ts', `const text = '${wide}'`],
  ['src/kit/a.ts', '/** What it gives. */\nexport function tidy() {}'],
  ['src/kit/a.ts', "throw new Error('a file such as a.ts')"],
  ['src/kit/a.ts', "const recommended = new Date('2026-01-01')"],
])('%s with the line %j has no fault', (file, text) => expect(faults(file, text)).toEqual([]))
