/** Checks that the docs, the README and the descriptions of the API are in plain English. */
import { readFileSync } from 'node:fs'
import fastGlob from 'fast-glob'
import { openApiDocument } from '#contract/openapi.ts'
import { errorCodes } from '#contract/errors.ts'
import { proseFaults } from './checks/prose-faults.ts'
import { commands } from './commands.ts'

const files = await fastGlob(['README.md', 'src/content/docs/**/*.{md,mdx}'])
const texts = new Map(files.sort().map((file) => [file, readFileSync(file, 'utf8')]))
for (const [code, { when, remedy }] of Object.entries(errorCodes))
  texts.set(`error ${code}`, `${when}\n\n${remedy}`)
texts.set('the OpenAPI document', descriptionsIn(openApiDocument()).join('\n\n'))
for (const { name, summary, load } of commands) {
  const { details = '', options } = await load()
  const described = Object.values(options).map(({ description }) => description)
  texts.set(`command ${name}`, [summary, details, ...described].join('\n\n'))
}

for (const [name, text] of texts) {
  for (const fault of await proseFaults(text)) {
    process.stdout.write(`${name}:${fault}\n`)
    process.exitCode = 1
  }
}

function descriptionsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && /^(description|summary)$/.test(key) ? [inner] : descriptionsIn(inner),
  )
}
