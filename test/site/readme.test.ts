import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fastGlob from 'fast-glob'
import { describe, expect, test } from 'vitest'
import { root } from '../harness/site-service.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

describe.each(['README.md', '.github/CONTRIBUTING.md'])('%s', (file) => {
  const text = read(file)

  test('names only npm commands that exist', () => {
    const commands = [...text.matchAll(/npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)].map(
      ([, run, short]) => run ?? short!,
    )
    expect(commands).toEqual(expect.arrayContaining(['start', 'test', 'check']))
    for (const command of commands) expect(Object.keys(scripts)).toContain(command)
  })

  test('links only to files and folders that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!)
    expect(links.length).toBeGreaterThan(5)
    for (const link of links) expect(existsSync(join(root, dirname(file), link)), link).toBe(true)
  })

  test('names only paths that exist', () => {
    const paths = [...text.matchAll(/`((?:src|test|scripts|\.github)\/[^`]+)`/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThan(8)
    for (const path of paths) expect(existsSync(join(root, path)), path).toBe(true)
  })
})

test('the page on the project structure describes every folder in src, and no other', () => {
  const page = read('src/site/content/docs/design/structure.md')
  const rows = [...page.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name!)
  const entries = readdirSync(join(root, 'src'), { withFileTypes: true })
  expect(rows.sort()).toEqual(entries.filter((entry) => entry.isDirectory()).map(({ name }) => name))
})

test('the README states the size of the sample corpus and the version of Node that set-up accepts', async () => {
  const clips = await fastGlob('src/sample-corpus/clips/*/*.json', { cwd: root })
  expect(readme).toContain(`${clips.length} clips in six languages`)
  expect(new Set(clips.map((path) => path.split('/').at(-2))).size).toBe(6)
  expect(readme).toContain('Node 20 or later')
  expect(read('scripts/setup.mjs')).toContain('major < 20')
})

test('the README has at most 60 lines and 600 words', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(60)
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(600)
})
