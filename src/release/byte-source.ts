/** The bytes of a section of a table, in memory or on disk. */
export interface ByteSource {
  readonly sizeBytes: number
  /** The bytes that were loaded last, until others are loaded. */
  readonly buffer: Buffer<ArrayBuffer>
  /**
   * Loads the bytes `from … to`. Returns the position in `buffer` at which they start.
   *
   * @throws {TreeFault} they cannot be read, or are damaged
   */
  load(from: number, to: number): number
}

export class MemoryBytes implements ByteSource {
  readonly buffer: Buffer<ArrayBuffer>

  constructor(buffer: Buffer<ArrayBuffer>) {
    this.buffer = buffer
  }

  get sizeBytes(): number {
    return this.buffer.length
  }

  load(from: number): number {
    return from
  }
}
