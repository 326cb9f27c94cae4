import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('the page on dependencies names each package with its licence', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >
  const lines = read('src/site/content/docs/operate/dependencies.mdx').split('\n')
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const { license } = JSON.parse(read(`node_modules/${name}/package.json`)) as { license: string }
    const line = lines.find((text) => text.startsWith(`| \`${name}\` `))
    expect(line, name).toContain(`| ${license} `)
  }
})

test('the threat model names a test that exists for each threat', () => {
  const page = read('src/site/content/docs/design/threat-model.md')
  const threats = page.split('\n').filter((line) => /^\| (?!Threat|-)/.test(line))
  expect(threats.length).toBeGreaterThan(15)
  for (const line of threats) {
    const file = /`(test\/[^`]+)`/.exec(line)?.[1]
    if (file) expect(existsSync(new URL(file, root)), file).toBe(true)
    else expect(line).toContain('stores nothing about learners')
  }
})
