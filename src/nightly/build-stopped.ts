import type { Problem } from '#corpus/problem.ts'

/** The build stopped before anything was published. The problems give the places. */
export class BuildStopped extends Error {
  override name = 'BuildStopped'
  readonly problems: readonly Problem[]

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message)
    this.problems = problems
  }
}
