import { takeCoverage } from 'node:v8'
import { afterAll } from 'vitest'

// The runner kills its workers, which otherwise write their coverage only when they exit.
if (process.env.NODE_V8_COVERAGE) afterAll(() => takeCoverage())
