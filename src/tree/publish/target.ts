/** The headers that a file of the tree is served with. */
export interface FileHeaders {
  contentType: string
  cacheControl: string
}

/** Where a tree is published to. */
export interface PublishTarget extends AsyncDisposable {
  /** For messages. */
  location: string
  /** Keeps others from publishing there, where it can, and removes what a killed run left. */
  begin(): Promise<void>
  /** The bytes of a file; null if there is none. */
  read(path: string): Promise<Uint8Array | null>
  /** Whether a file has these bytes or others, or has yet to be written. */
  compare(path: string, bytes: Uint8Array): Promise<'same' | 'other' | 'missing'>
  /** Writes a whole file, or leaves the existing one. Its time is then now. */
  write(path: string, bytes: Uint8Array, headers: FileHeaders): Promise<void>
  /** Deletes files. Missing ones are no fault. */
  delete(paths: readonly string[]): Promise<void>
}
