import { mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildTree, clip, corpus, word, catalogue } from './small-corpus.ts'
import type { CatalogueWord, SourceClip } from '../model/source.ts'

/** The source of a night: its clips, and the catalogue if it is a different one. */
export type Night = { clips: SourceClip[]; words?: CatalogueWord[] }

let template: Promise<{ folder: string; releases: string[] }> | undefined

async function buildTemplate() {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-nights-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { folder, releases: await buildNights(folder, fewNights) }
}

/**
 * Returns a folder for the running test, its tree `dist` of `fewNights`, and the ids of the
 * releases. The tree is built only once and then copied, so that all trees have the same id.
 */
export async function treeOfFewNights() {
  const { folder: source, releases } = await (template ??= buildTemplate())
  const folder = tempFolder()
  await cp(source, folder, { recursive: true, preserveTimestamps: true })
  return { folder, dist: join(folder, 'dist'), releases: [...releases] }
}

/** Builds every night into `dist` of a folder, and replaces changed clips. Returns release ids. */
export async function buildNights(folder: string, nights: readonly Night[]): Promise<string[]> {
  const releases: string[] = []
  for (const [i, { clips, words }] of nights.entries()) {
    const source = join(folder, `night-${i}`)
    await writeSourceFolder(source, corpus(clips, words))
    const { release } = await buildTree(source, join(folder, 'dist'), { replace: 'all', maxShrink: 1 })
    releases.push(release)
  }
  return releases
}

/** Five nights in which clips, and a word, are added, changed, removed and restored. */
export const fewNights: Night[] = [
  { clips: [clip('stays'), clip('changes'), clip('goes'), clip('pauses')] },
  { clips: [clip('stays'), clip('changes', 'The moon ran.'), clip('goes'), clip('comes')] },
  { clips: [clip('stays'), clip('changes', 'The moon ran.'), clip('comes'), clip('pauses')] },
  {
    clips: [clip('stays'), clip('changes', 'A cat ran.'), clip('comes'), clip('pauses')],
    words: [...catalogue, word(9, 'the')],
  },
  { clips: [clip('stays'), clip('changes', 'A cat ran.'), clip('comes'), clip('pauses'), clip('last')] },
]
