import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '#corpus/problem.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { reportPath } from '#release/paths.ts'
import type { Kept } from './plan.ts'

/** The version of the fields, increased with each change. Other versions are not read. */
const reportVersion = 1

/** The report of a build to its operator: `.build/report.json`. */
export interface BuildReport {
  release: string
  /** The number of clips and words in the release. */
  clips: number
  words: number
  rejected: Problem[]
  kept: Kept[]
  warnings: Problem[]
}

export async function writeReport(outFolder: string, report: BuildReport): Promise<void> {
  const text = JSON.stringify({ version: reportVersion, ...report }, null, 1) + '\n'
  await atomicWrite(join(outFolder, reportPath), text, { sync: false })
}

/** Reads the report of a release; null if there is none that can be read. */
export function readReport(outFolder: string, release: string): BuildReport | null {
  try {
    const text = readFileSync(join(outFolder, reportPath), 'utf8')
    const { version, ...report } = JSON.parse(text) as BuildReport & { version: number }
    return version === reportVersion && report.release === release ? report : null
  } catch {
    return null
  }
}
