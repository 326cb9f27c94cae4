/** Checks the imports of the project as it is. */
import { readFileSync } from 'node:fs'
import fastGlob from 'fast-glob'
import { importFaults } from './checks/import-faults.ts'

const files = await fastGlob(['src/*/**/*.{ts,astro,mdx}', 'scripts/**/*.{ts,mjs}'], {
  ignore: ['src/content'],
})
const faults = importFaults(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
