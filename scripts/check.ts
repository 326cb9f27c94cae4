/**
 * `npm run check`: every gate, one after another; all are run, and one that fails makes it fail.
 */
import { spawnSync } from 'node:child_process'

const gates: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['--noEmit']],
  [
    'types of the pages',
    'astro',
    ['check', '--tsconfig', 'tsconfig.site.json', '--minimumFailingSeverity', 'warning'],
  ],
  ['lint', 'oxlint', ['--deny-warnings']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['habits', 'node', ['scripts/check-habits.ts']],
  ['prose', 'node', ['scripts/check-prose.ts']],
  ['OpenAPI', 'node', ['scripts/check-openapi.ts']],
  ['tests', 'vitest', ['run']],
]

const wanted = process.argv.includes('--no-tests') ? gates.filter(([name]) => name !== 'tests') : gates
const failed = wanted.filter(([name, command, args]) => {
  process.stdout.write(`— ${name}\n`)
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', REDOCLY_TELEMETRY: 'off' }
  return spawnSync(command, args, { stdio: 'inherit', env }).status !== 0
})
for (const [name] of failed) process.stdout.write(`failed: ${name}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
