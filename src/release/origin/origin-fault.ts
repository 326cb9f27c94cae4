/** Why the origin did not give a file: few, for they are a label of the metrics. */
export type OriginReason = 'connect' | 'timeout' | 'cut' | 'status' | 'wrong'

/** The origin of the published tree did not give a file, or gave a wrong one. */
export class OriginFault extends Error {
  override name = 'OriginFault'
  readonly reason: OriginReason
  readonly path: string
  /** What the origin answered; null where it did not. */
  readonly status: number | null

  constructor(reason: OriginReason, path: string, status: number | null, message: string) {
    super(`cannot read "${path}" from the origin: ${message}`)
    this.reason = reason
    this.path = path
    this.status = status
  }
}
