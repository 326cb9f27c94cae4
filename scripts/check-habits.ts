/** Checks the habits in the files named, else in all: `node scripts/check-habits.ts [file…]`. */
import { readFileSync } from 'node:fs'
import fastGlob from 'fast-glob'
import { habitFaults } from './checks/habit-faults.ts'

const named = process.argv.slice(2)
const files =
  named.length > 0 ? named : await fastGlob('{src,scripts,test}/**/*.{ts,mjs,astro,md,mdx}', { dot: true })
const faults = habitFaults(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
