import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'

const root = join(import.meta.dirname, '../..')

/** Returns the imports that the linter rejects. */
function rejectedImports(imports: readonly [file: string, target: string][]): string[] {
  const folder = tempFolder()
  copyFileSync(join(root, '.oxlintrc.folders.json'), join(folder, '.oxlintrc.json'))
  for (const [i, [file, target]] of imports.entries()) {
    const path = join(folder, dirname(file), `${i}-${target.replaceAll('/', '_')}.ts`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import '${target}'\n`)
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'unix'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/^(.*?)\/\d+-.*'(.*)' import is restricted/gm)]
    .map(([, file, target]) => `${file} ${target}`)
    .sort()
}

const allowed: [string, string][] = [
  ['src/kit/a.ts', './b.ts'],
  ['src/contract/a.ts', '#language/spellings/a.ts'],
  ['src/proxy/feed/a.ts', '#kit/a.ts'],
  ['src/proxy/feed/a.ts', '../http/b.ts'],
  ['src/proxy/feed/a.ts', '../filter/b.ts'],
  ['src/proxy/feed/a.ts', '#release/sentences/layout.ts'],
  ['src/proxy/a.ts', './site/a.ts'],
  ['src/proxy/a.ts', '#language/spellings/a.ts'],
  ['src/release/a.ts', '#language/spellings/a.ts'],
  ['src/nightly/index/a.ts', '#language/analysers/analyser.ts'],
  ['src/nightly/render/a.ts', '../index/a.ts'],
  ['src/nightly/a.ts', './index/a.ts'],
  ['src/corpus/import/a.ts', '#language/analysers/analyser.ts'],
  ['src/corpus/import/a.ts', '../problem.ts'],
  ['src/site/build/a.ts', '#proxy/http/a.ts'],
  ['scripts/a.ts', '#nightly/build.ts'],
]

const forbidden: [string, string][] = [
  ['src/kit/a.ts', '#proxy/a.ts'],
  ['src/kit/a.ts', '#kit/b.ts'],
  ['src/proxy/a.ts', '#nightly/a.ts'],
  ['src/proxy/a.ts', '#nightly/index/a.ts'],
  ['src/proxy/a.ts', '#language/analysers/ja.ts'],
  ['src/proxy/feed/a.ts', '../search/b.ts'],
  ['src/proxy/sentences/a.ts', '../search/b.ts'],
  ['src/proxy/serve/a.ts', '../site/b.ts'],
  ['src/proxy/http/a.ts', '../feed/b.ts'],
  ['src/site/build/a.ts', '#proxy/feed/a.ts'],
  ['src/language/a.ts', './analysers/ja.ts'],
  ['src/contract/a.ts', '#language/analysers/ja.ts'],
  ['src/release/a.ts', '#language/analysers/ja.ts'],
  ['src/metering/a.ts', '#language/analysers/ja.ts'],
  ['src/nightly/index/a.ts', '../plan.ts'],
  ['src/nightly/index/a.ts', '../render/a.ts'],
  ['src/nightly/render/a.ts', '../plan.ts'],
  ['src/corpus/a.ts', '#language/analysers/ja.ts'],
  ['src/unlisted/a.ts', '#kit/a.ts'],
  ['scripts/bench/a.ts', '../../test/a.ts'],
]

test('the linter rejects imports against the order of the folders, and only those', () => {
  const expectedImports = forbidden.map(([file, target]) => `${dirname(file)} ${target}`).sort()
  expect(rejectedImports([...allowed, ...forbidden])).toEqual(expectedImports)
})
