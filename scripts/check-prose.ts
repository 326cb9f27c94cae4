/** Checks that the docs, the README and the descriptions of the API are in plain English. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { TextlintKernel, type TextlintPluginCreator, type TextlintRuleModule } from '@textlint/kernel'
import fastGlob from 'fast-glob'
import { openApiDocument } from '#contract/openapi.ts'
import { errorCodes } from '#contract/errors.ts'
import { commands } from './commands.ts'

const require = createRequire(import.meta.url)
/** Parts of textlint are CommonJS, and Node and Vitest import their default exports differently. */
const load = <Part>(name: string) => (require(name) as { default: Part }).default

/** About 45 words. */
const maxCharacters = 280

const kernel = new TextlintKernel()
const options = {
  ext: '.md',
  plugins: [
    { pluginId: 'markdown', plugin: load<TextlintPluginCreator>('@textlint/textlint-plugin-markdown') },
  ],
  rules: [
    {
      ruleId: 'words',
      rule: load<TextlintRuleModule>('textlint-rule-prh'),
      options: { rulePaths: [fileURLToPath(new URL('prose-words.yml', import.meta.url))] },
    },
    {
      ruleId: 'sentence-length',
      rule: load<TextlintRuleModule>('textlint-rule-sentence-length'),
      options: { max: maxCharacters },
    },
  ],
}

/** Finds text in Markdown or MDX that is not plain English. Each fault begins with its line. */
export async function proseFaults(text: string): Promise<string[]> {
  const { messages } = await kernel.lintText(readable(text), options)
  return messages.map(({ line, message }) => `${line}: ${message}`)
}

/** The text without imports and the names of front matter. Every line keeps its number. */
function readable(text: string): string {
  const plain = text.replace(/^(import|export) .*$/gm, '')
  return plain.replace(/^---\n[\s\S]*?\n---\n/, (front) =>
    front.replace(
      /^(?:\s*(?:title|description|tagline): (.*)|.*)$/gm,
      (_, frontText: string = '') => frontText,
    ),
  )
}

function descriptionsIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && /^(description|summary)$/.test(key) ? [inner] : descriptionsIn(inner),
  )
}

if (import.meta.main) {
  const files = await fastGlob(['README.md', '.github/*.md', 'src/site/content/docs/**/*.{md,mdx}'])
  const texts = new Map(files.sort().map((file) => [file, readFileSync(file, 'utf8')]))
  for (const [code, { when, remedy }] of Object.entries(errorCodes))
    texts.set(`error ${code}`, `${when}\n\n${remedy}`)
  texts.set('the OpenAPI document', descriptionsIn(openApiDocument()).join('\n\n'))
  for (const { name, summary, details = '', options } of commands) {
    const descriptions = Object.values(options).map(({ description }) => description)
    texts.set(`command ${name}`, [summary, details, ...descriptions].join('\n\n'))
  }

  for (const [name, text] of texts) {
    for (const fault of await proseFaults(text)) {
      process.stdout.write(`${name}:${fault}\n`)
      process.exitCode = 1
    }
  }
}
