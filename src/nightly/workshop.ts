import { mkdir, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { toDate } from '#contract/dates.ts'
import { listClipFiles, type ClipFile } from '#corpus/clip-files.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { asideFolderOf } from './aside.ts'
import type { BuildOptions } from './build-options.ts'
import { Crew } from './crew.ts'
import type { Found } from './found.ts'
import type { Ledger } from './ledger.ts'
import { staleFiles } from './read-source.ts'
import { readSeen, type Seen } from './seen.ts'

/** Where a build works: the source as it lies there, what the build before saw of it, the hands, and a folder for what is not whole yet. */
export interface Workshop {
  asideFolder: string
  files: ClipFile[]
  seen: Seen
  /** Those that are not as they were seen. */
  stale: ClipFile[]
  /** Whether they come to much. */
  isMuch: boolean
  crew: Crew
  /** When the build began, by the clock of the file system, in nanoseconds since the epoch. */
  startedNs: bigint
  /** Lets the hands go and clears up. */
  close(): Promise<void>
}

/** From so many bytes of source on, threads pay for their start. */
const muchBytes = 4 * 1024 * 1024

export async function openWorkshop(
  options: BuildOptions,
  catalogue: Catalogue,
  ledger: Ledger,
): Promise<Workshop> {
  const { corpusFolder, outFolder, urls, clock } = options
  const asideFolder = asideFolderOf(outFolder, process.pid)
  await rm(asideFolder, { recursive: true, force: true })
  await mkdir(asideFolder, { recursive: true })
  const { ctimeNs: startedNs } = await stat(asideFolder, { bigint: true })
  const files = await listClipFiles(corpusFolder)
  const seen = await readSeen(outFolder)
  const stale = staleFiles(files, seen)
  const crew = new Crew(
    {
      corpusFolder,
      outFolder,
      asideFolder,
      catalogue,
      urls,
      indexedAt: toDate(clock.now()),
      published: publishedDigests(ledger),
      seen: seenByText(seen, files, stale),
    },
    options.threads ?? availableParallelism(),
  )
  const staleBytes = stale.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const isMuch = staleBytes >= (options.muchBytes ?? muchBytes)
  if (isMuch) crew.expectMuch()
  const close = async () => {
    await crew.dismiss()
    await rm(asideFolder, { recursive: true, force: true })
  }
  return { asideFolder, files, seen, stale, isMuch, crew, startedNs, close }
}

function publishedDigests(ledger: Ledger): Set<string> {
  const digests = new Set<string>()
  for (const { sourceDigest, pruned } of ledger.entries.values()) if (!pruned) digests.add(sourceDigest)
  return digests
}

/** What the texts of files turned out to be that changed or went: some of their texts may stand in the files to be read. */
function seenByText(seen: Seen, files: readonly ClipFile[], stale: readonly ClipFile[]): Map<string, Found> {
  const staleNames = new Set(stale.map(({ file }) => file))
  const known = new Set(files.map(({ file }) => file).filter((file) => !staleNames.has(file)))
  const byText = new Map<string, Found>()
  for (const [file, { found }] of seen.byFile) {
    if (known.has(file)) continue
    for (const each of found) if (each.raw !== undefined) byText.set(each.raw, each)
  }
  return byText
}
