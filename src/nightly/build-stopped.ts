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

/** Returns a message that a file is lost or damaged, with what to do about it. */
export function describeLoss(path: string, clipId: string, cause: string): string {
  return `nothing was published, because "${path}" is lost or damaged and cannot be written again: ${cause}. Copy the file from a backup or from the place where the tree is published, or publish a new version of the clip (--replace ${clipId})`
}
