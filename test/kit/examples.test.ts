import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../../src')
const files = ['kit', 'language'].flatMap((room) =>
  readdirSync(join(source, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('analysers'))
    .map((name) => `${room}/${name}`),
)
const textOf = (file: string) => readFileSync(join(source, file), 'utf8')

/** Returns the examples in doc comments: a line of code, two slashes, the value. */
function examplesIn(text: string): { code: string; value: string }[] {
  return [...text.matchAll(/^ \* {5}(\S.*?) +\/\/ (.+)$/gm)].map(([, code, value]) => ({
    code: code!,
    value: value!,
  }))
}

const examples = files.flatMap((file) => examplesIn(textOf(file)).map((example) => ({ file, ...example })))

test.each(examples)('$file: $code gives $value', async ({ file, code, value }) => {
  const module = (await import(join(source, file))) as Record<string, unknown>
  const names = Object.keys(module)
  const evaluate = (expression: string) =>
    (runInThisContext(`(${names.join(', ')}) => (${expression})`) as (...all: unknown[]) => unknown)(
      ...names.map((name) => module[name]),
    )
  expect(evaluate(code)).toEqual(evaluate(value))
})

/**
 * Functions that have an effect instead of a result, or that read files, have tests but no one-line
 * example.
 */
const withoutExample = /^export (async )?function \w+\([^]*?\): (void|Promise<)/
const readsFiles = /from '(node:fs|node:fs\/promises)'/

test.each(files.filter((file) => !readsFiles.test(textOf(file))))(
  'each function of %s has an example',
  (file) => {
    const functions = textOf(file).matchAll(/(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^export function (\w+)[^]*?\{$/gm)
    const bare = [...functions].filter(([declaration, doc = '']) => {
      const signature = declaration.slice(doc.length)
      return !withoutExample.test(signature) && examplesIn(doc).length === 0
    })
    expect(bare.map(([, , name]) => name)).toEqual([])
  },
)
