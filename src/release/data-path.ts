/** A file under `data/`, by what its name says. */
export type DataPath =
  | { kind: 'clip' | 'transcript'; path: string; clipId: string; revision: number }
  | { kind: 'wordClips' | 'index' | 'sentences' | 'corpus'; path: string }

const clipForm = /^data\/(clip|transcript)s\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.(\d+))?\.json$/
const otherForms = {
  wordClips: /^data\/words\/[a-z]{2}\/\d+\.[0-9a-f]{16}\.json$/,
  index: /^data\/index\/[a-z]{2}\/(words|clips)\.[0-9a-f]{16}\.json$/,
  sentences: /^data\/sentences\/[a-z]{2}\/[0-9a-f]{16}(\.\d+)?\.bin$/,
  corpus: /^data\/corpus\.[0-9a-f]{16}\.json$/,
} as const

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
  const kinds = Object.keys(otherForms) as (keyof typeof otherForms)[]
  const kind = kinds.find((each) => otherForms[each].test(path))
  return kind === undefined ? null : { kind, path }
}
