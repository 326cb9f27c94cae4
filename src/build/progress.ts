/**
 * What a build is doing: bytes of the source read, clips indexed, buckets of words listed; or a
 * step without a count.
 */
export type Progress =
  { step: 'read' | 'index' | 'list'; done: number; total: number } | { step: 'tables' | 'sync' }

/** Called with the progress of a build. */
export type OnProgress = (progress: Progress) => void
