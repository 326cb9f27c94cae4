/**
 * What a build is doing: bytes of the source read, clips rendered or indexed again, buckets of
 * words listed; or a step without a count.
 */
export type Progress =
  { step: 'read' | 'render' | 'index' | 'list'; done: number; total: number } | { step: 'tables' | 'sync' }

/** Called with the progress of a build. */
export type OnProgress = (progress: Progress) => void
