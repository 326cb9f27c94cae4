import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { listClipFiles } from '#corpus/clip-files.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { namesIn } from '#kit/names-in.ts'
import { Rejection } from './rejection.ts'

/** The clips of one language in a source corpus, `clips/<language>/`, one file each. */
export class ClipFolder {
  readonly #corpus: string
  readonly #language: string
  /** Names as on the disk. */
  readonly #names: Set<string>
  /** The same in lower case, as a disk that ignores case compares them. */
  readonly #folded: Set<string>
  /** Name → path of the clips of other languages. */
  readonly #elsewhere: ReadonlyMap<string, string>

  private constructor(
    corpus: string,
    language: string,
    names: readonly string[],
    elsewhere: ReadonlyMap<string, string>,
  ) {
    this.#corpus = corpus
    this.#language = language
    this.#names = new Set(names)
    this.#folded = new Set(names.map((name) => name.toLowerCase()))
    this.#elsewhere = elsewhere
  }

  /** Opens the folder, which need not exist. @throws {Error} it cannot be read */
  static async open(corpus: string, language: string): Promise<ClipFolder> {
    const own = join('clips', language)
    const others = (await listClipFiles(corpus))
      .map(({ file }) => file)
      .filter((file) => file.endsWith('.json') && dirname(file) !== own)
    const names = await namesIn(join(corpus, 'clips', language))
    return new ClipFolder(corpus, language, names, new Map(others.map((path) => [basename(path), path])))
  }

  /**
   * Writes a clip to a temporary file and renames it, so that a reader never sees half of it.
   *
   * @throws {Rejection} the video is already in the corpus, in another language or (without
   *   `overwrite`) with other content
   */
  async write(
    videoId: string,
    text: string,
    options: { overwrite: boolean },
  ): Promise<'imported' | 'unchanged'> {
    const name = this.#nameOf(videoId)
    const elsewhere = this.#elsewhere.get(`${videoId}.json`)
    if (elsewhere !== undefined)
      throw new Rejection(`video ${videoId} is already in the corpus: ${elsewhere}`)
    const path = join(this.#corpus, 'clips', this.#language, name)
    if (this.#names.has(name)) {
      if ((await readFile(path)).equals(Buffer.from(text))) return 'unchanged'
      if (!options.overwrite)
        throw new Rejection(
          `clips/${this.#language}/${name} is another clip of this video: --overwrite replaces it`,
        )
    }
    await atomicWrite(path, text, { sync: false })
    this.#names.add(name)
    this.#folded.add(name.toLowerCase())
    return 'imported'
  }

  /**
   * `<videoId>.json`. If two ids differ only in case, the name of the second also has a digest:
   * disks may ignore case, video ids do not.
   */
  #nameOf(videoId: string): string {
    const plain = `${videoId}.json`
    const distinct = `${videoId}.${nameDigest(videoId)}.json`
    if (this.#names.has(distinct)) return distinct
    return this.#names.has(plain) || !this.#folded.has(plain.toLowerCase()) ? plain : distinct
  }
}
