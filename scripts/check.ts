/** `npm run check`: runs every check, one after another, and fails if any of them fails. */
import { spawnSync } from 'node:child_process'

const gates = {
  types: 'tsc --noEmit',
  'types of the client': 'tsc --noEmit --project src/client/tsconfig.build.json',
  'types of the pages': 'astro check --tsconfig tsconfig.site.json --minimumFailingSeverity warning',
  lint: 'oxlint --deny-warnings',
  format: 'prettier --check --log-level warn .',
  habits: 'node scripts/check-habits.ts',
  names: 'node scripts/check-names.ts',
  prose: 'node scripts/check-prose.ts',
  OpenAPI: 'node scripts/check-openapi.ts',
  tests: 'vitest run',
}

const hasTests = !process.argv.includes('--no-tests')
const gatesToRun = Object.entries(gates).filter(([name]) => name !== 'tests' || hasTests)
const failures = gatesToRun.filter(([name, command]) => {
  process.stdout.write(`— ${name}\n`)
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', REDOCLY_TELEMETRY: 'off' }
  return spawnSync(command, { shell: true, stdio: 'inherit', env }).status !== 0
})
for (const [name] of failures) process.stdout.write(`failed: ${name}\n`)
process.exitCode = failures.length > 0 ? 1 : 0
