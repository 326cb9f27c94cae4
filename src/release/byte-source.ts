/** The bytes of a section of a table, which are in memory or on the disk. */
export interface ByteSource {
  /** Contains the bytes that were loaded last, until others are loaded. */
  readonly buffer: Buffer
  /**
   * Loads the bytes `from … to`. Returns the position in `buffer` at which they begin.
   *
   * @throws {TreeFault} they cannot be read, or are damaged
   */
  load(from: number, to: number): number
}

/** Bytes in memory. */
export class MemoryBytes implements ByteSource {
  readonly buffer: Buffer

  constructor(buffer: Buffer) {
    this.buffer = buffer
  }

  load(from: number): number {
    return from
  }
}
