/**
 * Lints the OpenAPI document of the API with Redocly's recommended rules. Warnings count as errors.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '#contract/openapi.ts'

using folder = mkdtempDisposableSync(join(tmpdir(), 'clip-lookup-openapi-'))
const file = join(folder.path, 'openapi.json')
writeFileSync(file, JSON.stringify(openApiDocument(), null, 2))
const { status, stdout, stderr } = spawnSync('redocly', ['lint', file, '--format', 'json'], {
  encoding: 'utf8',
})
if (stdout === '') throw new Error(`redocly printed nothing and exited with ${status}: ${stderr}`)
const { problems } = JSON.parse(stdout) as {
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
}
for (const { ruleId, message, location } of problems)
  process.stdout.write(`${location[0]?.pointer ?? ''}: ${message} (${ruleId})\n`)
process.exitCode = problems.length > 0 ? 1 : 0
