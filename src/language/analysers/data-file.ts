import { readFileSync } from 'node:fs'

/** The lines of a data file beside the code, without empty ones and comments (`#`). */
export function readDataLines(name: string): string[] {
  const text = readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}
