/**
 * What a build is at: bytes of the source read, clips rendered or indexed anew, parts of the words
 * listed; or what cannot be counted.
 */
export type Progress =
  { step: 'read' | 'render' | 'index' | 'list'; done: number; total: number } | { step: 'tables' | 'sync' }

/** Called with how far the build has come. */
export type OnProgress = (progress: Progress) => void
