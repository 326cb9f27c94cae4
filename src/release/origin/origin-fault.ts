import { TreeFault, type TreeFaultReason } from '../tree.ts'

/** The origin of the published tree did not provide a file, or sent other bytes. */
export class OriginFault extends TreeFault {
  override name = 'OriginFault'
  /** The status that the origin answered with; null if it did not answer. */
  readonly status: number | null

  constructor(reason: TreeFaultReason, path: string, status: number | null, message: string) {
    super(reason, path, `cannot read "${path}" from the origin: ${message}`)
    this.status = status
  }
}
