import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Morpheme } from './japanese.ts'

const require = createRequire(import.meta.url)

/** What this project uses of sudachi-wasm333. */
interface Sudachi {
  SudachiStateless: new () => {
    initialize_from_bytes(dictionary: Uint8Array): void
    /** Gives `{ error }` for what it cannot take. */
    tokenize_raw(text: string, mode: number): Morpheme[] | { error: string }
  }
  TokenizeMode: { C: number }
}

let opened: ((text: string) => Morpheme[]) | undefined

/** Opens Sudachi in this thread, once. Mode C takes the longest units: 思い出す is one word. */
export function openSudachi(): (text: string) => Morpheme[] {
  if (opened) return opened
  const { SudachiStateless, TokenizeMode } = require('sudachi-wasm333') as Sudachi
  const sudachi = new SudachiStateless()
  // The dictionary that comes with the package: 120 MB on disk, 0.5 GB in memory.
  const path = join(dirname(require.resolve('sudachi-wasm333')), 'resources', 'system.dic')
  sudachi.initialize_from_bytes(readFileSync(path))
  return (opened = (text) => {
    const found = sudachi.tokenize_raw(text, TokenizeMode.C)
    return Array.isArray(found) ? found : []
  })
}
