import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { expect, test } from 'vitest'
import { root } from '../harness/site-service.ts'

const page = readFileSync(join(root, 'src/site/content/docs/glossary.mdx'), 'utf8')
const rows = [...page.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)]
  .map(([, term, meaning]) => ({ term: term!, meaning: meaning! }))
  .filter(({ term }) => term !== 'Term' && !term.startsWith('-'))

async function textOf(patterns: string[]): Promise<string> {
  const files = await fastGlob(patterns, { cwd: root, ignore: ['**/glossary.mdx', '**/decisions/**'] })
  return files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
}

test('the glossary has each term once, in one sentence or two', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length)
  for (const { term, meaning } of rows) expect(meaning.split('. ').length, term).toBeLessThanOrEqual(3)
})

test('the docs, the commands or the contract use every term of the glossary, and a name in the code contains it', async () => {
  const docs = await textOf([
    'src/site/content/docs/**/*.{md,mdx}',
    'scripts/commands/*.ts',
    'src/contract/*.ts',
  ])
  const code = await textOf(['src/**/*.ts', '!src/site/content/**'])
  for (const { term } of rows) {
    const words = term.split(/[ -]/)
    expect(docs, term).toMatch(new RegExp(`\\b${words.join('[ -]')}`, 'i'))
    // `focus word` is `focusWord` in code, `look-up` is `lookup`.
    expect(code, term).toMatch(new RegExp(words.join('[ -]?'), 'i'))
  }
})

test('the docs write the glossary’s terms in one way', async () => {
  const docs = await textOf(['src/site/content/docs/**/*.{md,mdx}', 'README.md'])
  const prose = docs.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '')
  for (const other of [
    /\bapikey\b/i,
    /\bquotum\b/i,
    /\bratelimit\b/i,
    /(?<!clip[ -])\blookup\b/i,
    /\bhead word\b/i,
  ])
    expect(prose).not.toMatch(other)
})
