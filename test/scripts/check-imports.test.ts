import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importFaults } from '../../scripts/check-imports.ts'

const root = join(import.meta.dirname, '../..')

/** The faults of files given as path → what they import. */
function faults(files: Record<string, string[]>): string[] {
  const text = (targets: string[]) => targets.map((target) => `import { x } from '${target}'\n`).join('')
  return importFaults(new Map(Object.entries(files).map(([file, targets]) => [file, text(targets)])))
}

test('imports along the order of the rooms have no fault', () => {
  expect(
    faults({
      'src/kit/a.ts': ['node:fs', './b.ts'],
      'src/kit/b.ts': [],
      'src/proxy/feed/a.ts': ['#kit/a.ts', '../http/b.ts', 'pino', '#release/tree.ts'],
      'scripts/build.ts': ['#build/build.ts', './a.ts'],
    }),
  ).toEqual([])
})

const style = 'a room is imported as #room/file.ts, files of the same by relative path'

test.each<[string, string, string]>([
  ['src/kit/a.ts', '#proxy/a.ts', 'kit must not import from proxy'],
  ['src/proxy/a.ts', '#build/a.ts', 'proxy must not import from build'],
  ['src/build/a.ts', '../../scripts/a.ts', 'build must not import from scripts'],
  ['src/proxy/feed/a.ts', '../search/b.ts', 'proxy/feed must not import from proxy/search'],
  ['src/proxy/sentences/a.ts', '../search/b.ts', 'proxy/sentences must not import from proxy/search'],
  ['src/proxy/serve/a.ts', '../site/b.ts', 'proxy/serve must not import from proxy/site'],
  ['src/proxy/http/a.ts', '../feed/b.ts', 'proxy/http must not import from proxy/feed'],
  ['scripts/bench/a.ts', '../../test/a.ts', 'scripts must not import from test'],
  ['src/language/a.ts', './analysers/ja.ts', 'language must not import from language/analysers'],
  ['src/contract/a.ts', '#language/analysers/ja.ts', 'contract must not import from language/analysers'],
  ['src/release/a.ts', '#language/analysers/ja.ts', 'release must not import from language/analysers'],
  ['src/metering/a.ts', '#language/analysers/ja.ts', 'metering must not import from language/analysers'],
  ['src/proxy/a.ts', '#language/analysers/ja.ts', 'proxy must not import from language/analysers'],
  ['src/proxy/a.ts', '#indexing/a.ts', 'proxy must not import from indexing'],
  ['src/kit/a.ts', '#kit/b.ts', style],
  ['src/build/a.ts', '../kit/a.ts', style],
  ['scripts/a.ts', '../src/kit/a.ts', style],
])('%s may not import %s', (file, target, fault) => {
  expect(faults({ [file]: [target] })).toEqual([`${file}: ${fault} ("${target}")`])
})

test('a room that nobody has heard of is a fault', () => {
  expect(faults({ 'src/utils/a.ts': [] })).toEqual(['src/utils/a.ts: no such room'])
  expect(faults({ 'src/proxy/other/a.ts': [] })).toEqual(['src/proxy/other/a.ts: no such room'])
})

test('a circle is a fault, also one of scripts, of types or of dynamic imports', () => {
  expect(faults({ 'src/kit/a.ts': ['./b.ts'], 'src/kit/b.ts': ['./a.ts'] })).toEqual([
    'src/kit/a.ts: imports itself: src/kit/a.ts → src/kit/b.ts → src/kit/a.ts',
  ])
  const circle = new Map([
    ['scripts/a.ts', "import type { B } from './b.ts'"],
    ['scripts/b.ts', "export const load = () => import('./c.ts')"],
    ['scripts/c.ts', "import './a.ts'"],
  ])
  expect(importFaults(circle)).toHaveLength(1)
})

test('the project has no fault', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-imports.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
