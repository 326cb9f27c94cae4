/** Lints the OpenAPI document of the API with Redocly's recommended rules, all of them errors. */
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '#contract/openapi.ts'

using folder = mkdtempDisposableSync(join(tmpdir(), 'clip-lookup-openapi-'))
const file = join(folder.path, 'openapi.json')
writeFileSync(file, JSON.stringify(openApiDocument(), null, 2))
const args = ['lint', file, '--extends', 'recommended-strict']
process.exitCode = spawnSync('redocly', args, { stdio: 'inherit' }).status ?? 1
