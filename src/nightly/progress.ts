/** What a build is at, in order: bytes of the source read, clips indexed anew, 256ths of the words listed, then what cannot be counted. */
export type Progress =
  | { step: 'read' | 'index' | 'list'; done: number; total: number }
  | { step: 'move' | 'tables' | 'sync' | 'site' }

/** Told how far the build has come. */
export type Tell = (progress: Progress) => void
