/**
 * `npm run bench:nightly`: the cost of nightly builds, and what a mirror and a proxy fetch after
 * each. Builds a seeded corpus of 100,000 one-minute clips (or as many as the argument says) from
 * scratch, with no changes, and with 0.1% and 1% new clips. The baseline is a plain script that
 * reads and parses the same source and writes files of the same sizes. As root on Linux, it empties
 * the page cache before each build, as it would be at night.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Changes } from '#release/changes.ts'
import { deltaName } from '#release/manifest.ts'
import { tableFiles } from '#release/paths.ts'
import { readCurrent } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { longClips, writeCorpus } from './corpus.ts'
import type { Cost } from './probe.ts'
import { emptyPageCache, probe, runBench } from './processes.ts'

const count = Number(process.argv[2] ?? 100_000)

await runBench(async (folder) => {
  const corpus = longClips(join(folder, `night-corpus-${count}`))
  const tree = join(folder, `night-tree-${count}`)
  const plainFolder = join(folder, 'plain')
  for (const path of [corpus.folder, tree, plainFolder]) rmSync(path, { recursive: true, force: true })
  const build = () => {
    emptyPageCache()
    return probe('build', corpus.folder, tree)
  }
  writeCorpus(corpus, 0, count)
  // A build does not rely on the timestamps of files that changed less than two seconds ago.
  await sleep(2_000)
  const fromScratch = build()
  print('from scratch', fromScratch, fromScratch, await fetchedSizes(tree))
  emptyPageCache()
  const plain = probe('read and write', corpus.folder, tree, plainFolder)
  print('plain script', plain, fromScratch)
  console.log(`from scratch ÷ plain script: ${(fromScratch.wallS / plain.wallS).toFixed(2)}`)
  print('no changes', build(), fromScratch)
  let clips = count
  for (const share of [0.001, 0.01]) {
    const firstNew = clips
    clips = Math.round(count * (1 + share))
    writeCorpus(corpus, firstNew, clips)
    print(`${share * 100}% new clips`, build(), fromScratch, await fetchedSizes(tree))
  }
})

/**
 * Returns the size of the files that the current release does not share with the previous one, and
 * of the table data that a proxy with the previous release fetches.
 */
async function fetchedSizes(tree: string) {
  const folder = join('releases', await readCurrent(new FolderTree(tree)))
  const sizeMb = (paths: readonly string[]) =>
    paths.reduce((sum, path) => sum + statSync(join(tree, path)).size, 0) / 1e6
  const changes = JSON.parse(readFileSync(join(tree, folder, 'changes.json'), 'utf8')) as Changes
  const names = readdirSync(join(tree, folder))
  const tables = tableFiles.map((table) => (names.includes(deltaName(table)) ? deltaName(table) : table))
  const inFolder = (files: readonly string[]) => files.map((name) => join(folder, name))
  return { allMb: sizeMb([...inFolder(names), ...changes.files.added]), tablesMb: sizeMb(inFolder(tables)) }
}

function print(
  name: string,
  { wallS, cpuS, peakMb }: Cost,
  fromScratch: Cost,
  sizes?: Awaited<ReturnType<typeof fetchedSizes>>,
): void {
  const share = `${((wallS / fromScratch.wallS) * 100).toFixed(1)}%`
  const figures = `${wallS.toFixed(1)} s, ${share} of from scratch, ${cpuS.toFixed(1)} s CPU, ${peakMb.toFixed(0)} MB`
  const fetches =
    sizes && `, ${sizes.allMb.toFixed(0)} MB fetched, ${sizes.tablesMb.toFixed(1)} MB of tables by a proxy`
  console.log(`${name.padEnd(20)}${figures}${fetches ?? ''}`)
}
