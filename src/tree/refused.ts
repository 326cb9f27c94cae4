/** A refused operation: nothing was changed, and the message gives the reason. */
export class Refused extends Error {
  override name = 'Refused'
}

/** A build, a prune or a rollback is working on the tree. */
export class TreeLocked extends Error {
  override name = 'TreeLocked'
  constructor(outFolder: string) {
    super(`another build, prune or rollback is running in "${outFolder}"`)
  }
}
