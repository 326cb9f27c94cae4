import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../src/kit')

/** The examples in the doc comments of a file: a line of code, two slashes, the value. */
function examplesIn(file: string): { code: string; value: string }[] {
  const text = readFileSync(join(folder, file), 'utf8')
  return [...text.matchAll(/^ \* {5}(\S.*?) +\/\/ (.+)$/gm)].map(([, code, value]) => ({
    code: code!,
    value: value!,
  }))
}

const examples = readdirSync(folder).flatMap((file) =>
  examplesIn(file).map((example) => ({ file, ...example })),
)

test.each(examples)('$file: $code gives $value', async ({ file, code, value }) => {
  const module = (await import(join(folder, file))) as Record<string, unknown>
  const names = Object.keys(module)
  const evaluate = (expression: string) =>
    (runInThisContext(`(${names.join(', ')}) => (${expression})`) as (...all: unknown[]) => unknown)(
      ...names.map((name) => module[name]),
    )
  expect(evaluate(code)).toEqual(evaluate(value))
})

test('many functions have an example', () => {
  expect(examples.length).toBeGreaterThan(15)
})
