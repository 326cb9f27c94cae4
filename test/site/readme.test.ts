import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { expect, test } from 'vitest'
import { root } from '../harness/site-service.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

test('every npm command in the README is there', () => {
  const named = [...readme.matchAll(/npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)].map(
    ([, run, short]) => run ?? short!,
  )
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'check', 'format', 'clip-lookup']))
  for (const name of named) expect(Object.keys(scripts)).toContain(name)
})

test('every link in the README leads to a file or folder', () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!)
  expect(links.length).toBeGreaterThan(8)
  for (const link of links) expect(existsSync(join(root, link)), link).toBe(true)
})

test('every path in the README is there', () => {
  const paths = [...readme.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path]) => path!)
  expect(paths.length).toBeGreaterThan(8)
  for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true)
})

test('the figures of the README are those of the sample corpus and of the project', async () => {
  const clips = await fastGlob('src/sample-corpus/clips/*/*.json', { cwd: root })
  expect(readme).toContain(`${clips.length} clips in six languages`)
  expect(new Set(clips.map((path) => path.split('/').at(-2))).size).toBe(6)
  expect(readme).toContain('Node 20 or later')
  expect(readFileSync(join(root, 'scripts/setup.mjs'), 'utf8')).toContain('major < 20')
})

test('the README is one screen: at most 60 lines and 600 words', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(60)
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(600)
})
