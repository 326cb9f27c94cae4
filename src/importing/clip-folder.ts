import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { listClipFiles } from '#corpus/clip-files.ts'
import type { SourceClip, SourceCue } from '#corpus/source-clip.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { namesIn } from '#kit/not-found.ts'
import { Rejection } from './rejection.ts'

/** The clips of one language in a source corpus, `clips/<language>/`, one file each. */
export type ClipFolder = Awaited<ReturnType<typeof openClipFolder>>

/** Opens the folder, which need not exist. @throws {Error} it cannot be read */
export async function openClipFolder(corpus: string, language: string) {
  const own = `clips/${language}`
  const { files } = await listClipFiles(corpus)
  const others = files
    .map(({ file }) => file)
    .filter((file) => file.endsWith('.json') && dirname(file) !== own)
  /** Name → path of the clips of other languages. */
  const elsewhere = new Map(others.map((path) => [basename(path), path]))
  /** Names as on the disk, and in lower case, as a disk that ignores case compares them. */
  const names = new Set(await namesIn(join(corpus, own)))
  const folded = new Set([...names].map((name) => name.toLowerCase()))

  /**
   * `<videoId>.json`. If two ids differ only in case, the name of the second also has a digest:
   * disks may ignore case, video ids do not.
   */
  const nameOf = (videoId: string) => {
    const plain = `${videoId}.json`
    const distinct = `${videoId}.${nameDigest(videoId)}.json`
    if (names.has(distinct)) return distinct
    return names.has(plain) || !folded.has(plain.toLowerCase()) ? plain : distinct
  }

  return {
    /**
     * Writes a clip to a temporary file and renames it, so that a reader never sees half of it.
     *
     * @throws {Rejection} the video is already in the corpus, in another language or (without
     *   `overwrite`) with other content
     */
    async write(clip: SourceClip, overwrite: boolean): Promise<'imported' | 'unchanged'> {
      const { videoId } = clip
      const text = formatClip(clip)
      const found = elsewhere.get(`${videoId}.json`)
      if (found !== undefined) throw new Rejection(`video ${videoId} is already in the corpus: ${found}`)
      const name = nameOf(videoId)
      const path = join(corpus, own, name)
      if (names.has(name)) {
        if ((await readFile(path)).equals(Buffer.from(text))) return 'unchanged'
        if (!overwrite)
          throw new Rejection(`${own}/${name} is another clip of this video: --overwrite replaces it`)
      }
      await atomicWrite(path, text, { sync: false })
      names.add(name)
      folded.add(name.toLowerCase())
      return 'imported'
    },
  }
}

/**
 * The text of a clip file: JSON with one cue per line, and its timed words below it, one per line.
 * The same clip gives the same bytes.
 */
export function formatClip(clip: SourceClip): string {
  const { cues, ...head } = clip
  const fields = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${inline(value)},`)
  return ['{', ...fields, '  "cues": [', cues.map(formatCue).join(',\n'), '  ]', '}', ''].join('\n')
}

function formatCue({ words, ...cue }: SourceCue): string {
  const line = inline(cue)
  if (!words) return `    ${line}`
  const rows = words.map((word) => `      ${inline(word)}`).join(',\n')
  return `    ${line.slice(0, -2)}, "words": [\n${rows}\n    ] }`
}

/** A record of plain values on one line: `{ "id": "…", "name": "…" }`. */
function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}: ${JSON.stringify(field)}`,
  )
  return `{ ${fields.join(', ')} }`
}
