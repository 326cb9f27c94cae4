/** The result of a check. If it failed, the message says what to do. */
export interface Finding {
  check: string
  ok: boolean
  message: string
}

/** A check: returns a message if all is well, else throws what is wrong and what to do about it. */
export interface Check {
  name: string
  run(): string | Promise<string>
}

/** Runs the checks one after another. An error is a failed check. */
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
