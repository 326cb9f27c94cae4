/** What came of a check. The message of one that failed says what to do. */
export interface Finding {
  check: string
  ok: boolean
  message: string
}

/** A check: returns what is well, or throws what is wrong and what to do about it. */
export interface Check {
  name: string
  run(): string | Promise<string>
}

/** Something is wrong; the message says what, and what to do. */
export class Ailment extends Error {
  override name = 'Ailment'
}

/** Runs the checks one after another. An error that nobody foresaw is a finding too. */
export async function runChecks(checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, run } of checks) {
    try {
      findings.push({ check: name, ok: true, message: await run() })
    } catch (error) {
      findings.push({ check: name, ok: false, message: (error as Error).message })
    }
  }
  return findings
}
