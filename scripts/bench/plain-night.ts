/**
 * Run by `bench:nightly` in a process of its own: the baseline for a build from nothing. Reads and
 * parses every source file of a corpus, and writes files of the same names and sizes as a tree that
 * was built from it has. Arguments: corpus, tree, folder to write to.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { printTook } from './run.ts'

const [corpusFolder, tree, outFolder] = process.argv.slice(2) as [string, string, string]

const outputs = fastGlob
  .sync('**', { cwd: tree, dot: true })
  .map((path) => ({ path, sizeBytes: statSync(join(tree, path)).size }))
await printTook(() => {
  for (const path of fastGlob.sync('**', { cwd: corpusFolder, dot: true })) {
    const text = readFileSync(join(corpusFolder, path), 'utf8')
    for (const line of path.endsWith('.jsonl') ? text.trimEnd().split('\n') : [text]) JSON.parse(line)
  }
  const largest = outputs.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0)
  const bytes = Buffer.alloc(largest, 'a')
  const folders = new Set(outputs.map(({ path }) => join(outFolder, path, '..')))
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  for (const { path, sizeBytes } of outputs)
    writeFileSync(join(outFolder, path), bytes.subarray(0, sizeBytes))
})
