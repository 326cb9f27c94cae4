/** The headers that a file of the tree is served with. */
export interface FileHeaders {
  contentType: string
  cacheControl: string
}

/** Where a tree is published to. */
export interface PublishTarget {
  /** For messages. */
  location: string
  /** The bytes of a file; null if there is none. */
  read(path: string): Promise<Uint8Array | null>
  /** Whether there is a file of this size. */
  has(path: string, sizeBytes: number): Promise<boolean>
  /** Writes a whole file, or leaves the existing one. */
  write(path: string, bytes: Uint8Array, headers: FileHeaders): Promise<void>
  /** Deletes files. Missing ones are no fault. */
  delete(paths: readonly string[]): Promise<void>
}
