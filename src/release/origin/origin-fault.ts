import { TreeFault, type TreeFaultReason } from '../tree.ts'

/** The origin of the published tree did not give a file, or gave a wrong one. */
export class OriginFault extends TreeFault {
  override name = 'OriginFault'
  /** What the origin answered; null where it did not. */
  readonly status: number | null

  constructor(reason: TreeFaultReason, path: string, status: number | null, message: string) {
    super(reason, path, `cannot read "${path}" from the origin: ${message}`)
    this.status = status
  }
}
