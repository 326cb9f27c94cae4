import type { IndexKind } from './paths.ts'

/** A file under `data/`, by the parts of its name. */
export type DataPath =
  | { kind: 'clip' | 'transcript'; path: string; clipId: string; revision: number }
  | { kind: 'wordClips'; path: string; language: string; wordId: number; digest: string; page: number }
  | { kind: 'index'; path: string; language: string; of: IndexKind }
  | { kind: 'sentences'; path: string }
  | { kind: 'corpus'; path: string }

const clipForm = /^data\/(clip|transcript)s\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(\d+))?\.json$/
const wordClipsForm = /^data\/words\/([a-z]{2})\/(\d+)\.([0-9a-f]{16})(?:\.(\d+))?\.json$/
const indexForm = /^data\/index\/([a-z]{2})\/(words|clips)\.[0-9a-f]{16}\.json$/
const sentencesForm = /^data\/sentences\/[a-z]{2}\/[0-9a-f]{16}(\.\d+)?\.bin$/
const corpusForm = /^data\/corpus\.[0-9a-f]{16}\.json$/

/**
 * Parses the name of a file under `data/`, as `paths.ts` makes it; null if no build makes such a
 * name.
 */
export function parseDataPath(path: string): DataPath | null {
  const clip = clipForm.exec(path)
  if (clip) {
    const [, kind, clipId, revision] = clip
    return { kind: kind as 'clip' | 'transcript', path, clipId: clipId!, revision: Number(revision ?? 1) }
  }
  const list = wordClipsForm.exec(path)
  if (list) {
    const [, language, wordId, digest, page] = list
    const place = { language: language!, wordId: Number(wordId), digest: digest!, page: Number(page ?? 1) }
    return { kind: 'wordClips', path, ...place }
  }
  const index = indexForm.exec(path)
  if (index) return { kind: 'index', path, language: index[1]!, of: index[2] as IndexKind }
  if (sentencesForm.test(path)) return { kind: 'sentences', path }
  return corpusForm.test(path) ? { kind: 'corpus', path } : null
}
