/** What a build is at: bytes of the source read, clips indexed anew, parts of the words listed; or what cannot be counted. */
export type Progress =
  { step: 'read' | 'index' | 'list'; done: number; total: number } | { step: 'move' | 'tables' | 'sync' }

/** Told how far the build has come. */
export type Tell = (progress: Progress) => void
