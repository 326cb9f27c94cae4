/** The headers that a file of the tree is served with. */
export interface FileHeaders {
  contentType: string
  cacheControl: string
}

/** A place to which a tree is published. */
export interface PublishTarget extends AsyncDisposable {
  /** The location, quoted in messages. */
  location: string
  /** Prevents others from publishing there, if possible, and removes what a killed run left. */
  begin(): Promise<void>
  /** Reads the bytes of a file; null if there is none. */
  read(path: string): Promise<Uint8Array | null>
  /** Tells whether a file has these bytes or others, or is missing. */
  compare(path: string, bytes: Uint8Array): Promise<'same' | 'other' | 'missing'>
  /** Writes a whole file, or leaves an identical one. Its modification time is then now. */
  write(path: string, bytes: Uint8Array, headers: FileHeaders): Promise<void>
  /** Returns when everything that was written survives a power failure. */
  sync(): Promise<void>
  /** Deletes files. Missing ones are not an error. */
  delete(paths: readonly string[]): Promise<void>
}
