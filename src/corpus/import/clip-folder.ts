import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { listClipFiles } from '../clip-files.ts'
import type { SourceClip } from '../source-clip.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { namesIn } from '#kit/not-found.ts'
import { Rejection } from './rejection.ts'

/**
 * Returns a function that writes clips in one language into a source corpus, `clips/<language>/`,
 * one file each. The folder need not exist.
 *
 * @throws {Error} a folder of clips exists but cannot be read
 */
export async function clipWriter(corpus: string, language: string) {
  const languageFolder = `clips/${language}`
  const { files } = await listClipFiles(corpus)
  const others = files.filter(({ file }) => dirname(file) !== languageFolder)
  /** The paths of clips in other languages, keyed by name. */
  const elsewhere = new Map(others.map(({ file }) => [basename(file), file]))
  /** The names on the disk, and in lower case, because some disks ignore case. */
  const names = new Set(await namesIn(join(corpus, languageFolder)))
  const foldedNames = new Set([...names].map((name) => name.toLowerCase()))

  /**
   * `<videoId>.json`. If two ids differ only in case, the name of the second also contains a
   * digest, because disks may ignore case, but video ids do not.
   */
  const nameOf = (videoId: string) => {
    const plain = `${videoId}.json`
    const distinct = `${videoId}.${nameDigest(videoId)}.json`
    if (names.has(distinct)) return distinct
    return names.has(plain) || !foldedNames.has(plain.toLowerCase()) ? plain : distinct
  }

  /**
   * Writes a clip to a temporary file and renames it, so that a reader never sees half of it. A dry
   * run only checks whether it could be written.
   *
   * @throws {Rejection} the video is already in the corpus, in another language or (without
   *   `overwrite`) with other content
   */
  return async function writeClip(
    clip: SourceClip,
    { overwrite, isDryRun }: { overwrite: boolean; isDryRun?: boolean | undefined },
  ): Promise<'imported' | 'unchanged'> {
    const { videoId } = clip
    const text = formatClip(clip)
    const otherPath = elsewhere.get(`${videoId}.json`)
    if (otherPath !== undefined)
      throw new Rejection(`belongs to the video ${videoId}, which is already in the corpus in ${otherPath}`)
    const name = nameOf(videoId)
    const path = join(corpus, languageFolder, name)
    if (names.has(name)) {
      if ((await readFile(path)).equals(Buffer.from(text))) return 'unchanged'
      if (!overwrite)
        throw new Rejection(
          `${languageFolder}/${name} is another clip of this video. To replace it, add --overwrite`,
        )
    }
    if (!isDryRun) await atomicWrite(path, text, { sync: false })
    names.add(name)
    foldedNames.add(name.toLowerCase())
    return 'imported'
  }
}

/**
 * Returns the text of a clip file: JSON with one cue per line, and its timed words below it, one
 * per line. The same clip gives the same bytes.
 */
export function formatClip({ cues, ...head }: SourceClip): string {
  const fields = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${inline(value)},`)
  const rows = cues.map(({ words, ...cue }) => {
    const line = `    ${inline(cue)}`
    const wordLines = words?.map((word) => `      ${inline(word)}`).join(',\n')
    return wordLines === undefined ? line : `${line.slice(0, -2)}, "words": [\n${wordLines}\n    ] }`
  })
  return ['{', ...fields, '  "cues": [', rows.join(',\n'), '  ]', '}', ''].join('\n')
}

/** A JSON value on one line: `{ "id": "…", "name": "…" }`. */
function inline(value: unknown): string {
  // Line feeds inside strings are escaped.
  return JSON.stringify(value, null, 1).replace(/\n */g, ' ')
}
