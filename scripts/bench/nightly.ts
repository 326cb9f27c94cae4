/**
 * `npm run bench:nightly`: what a nightly build costs. A seeded corpus of 100,000 clips of 60 s (or
 * as many as the argument says) is built from nothing, again with nothing new, and again with 0.1%
 * and with 1% more clips; for each, what a mirror fetches. In the same run, a plain script reads
 * and parses the same source and writes files of the same sizes. Each has a process of its own. No
 * file is in the system's memory when a run begins, as at night, where the bench may empty that
 * (root on Linux). BENCH_FOLDER keeps the corpus and the tree.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeNightClips } from './make-corpus.ts'
import { readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import type { Took } from './probe.ts'
import { probe, runBench } from './run.ts'

const count = Number(process.argv[2] ?? 100_000)

await runBench(async (folder) => {
  const corpus = join(folder, `night-corpus-${count}`)
  const tree = join(folder, `night-tree-${count}`)
  const plainFolder = join(folder, 'plain')
  const run = (...args: Parameters<typeof probe>): Took => {
    emptyFileCache()
    return probe(...args)
  }
  for (const path of [corpus, tree, plainFolder]) rmSync(path, { recursive: true, force: true })
  writeNightClips(corpus, 0, count)
  const nothing = run('build', corpus, tree)
  show('from nothing', nothing, nothing, await fetchedMb(tree))
  const plain = run('read and write', corpus, tree, plainFolder)
  show('plain script: read, parse, write as much', plain, nothing)
  console.log(`from nothing ÷ plain script: ${(nothing.wallS / plain.wallS).toFixed(2)}`)
  // A file that has just changed may change again without a change of its times.
  await sleep(2_000)
  show('nothing new', run('build', corpus, tree), nothing)
  let written = count
  for (const share of [0.001, 0.01]) {
    const more = Math.round(count * (1 + share))
    writeNightClips(corpus, written, more)
    written = more
    const took = run('build', corpus, tree)
    show(`${share * 100}% new clips`, took, nothing, await fetchedMb(tree))
  }
})

/**
 * What a mirror fetches of the release in service that it lacks from the one before, in megabytes.
 */
async function fetchedMb(tree: string): Promise<number> {
  const inside = join('releases', await readCurrent(folderTree(tree)))
  const changes = JSON.parse(readFileSync(join(tree, inside, 'changes.json'), 'utf8')) as {
    files: { added: string[] }
  }
  const own = readdirSync(join(tree, inside)).map((name) => join(inside, name))
  const sizes = [...own, ...changes.files.added].map((path) => statSync(join(tree, path)).size)
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

function emptyFileCache(): void {
  try {
    execFileSync('sync')
    writeFileSync('/proc/sys/vm/drop_caches', '3')
  } catch {
    console.log('the file cache is as the system has it: only root may empty it')
  }
}

function show(name: string, { wallS, cpuS, memoryMb }: Took, base: Took, fetched?: number): void {
  const share = `${((wallS / base.wallS) * 100).toFixed(1)}%`
  const mirror = fetched === undefined ? '' : `${fetched.toFixed(0).padStart(8)} MB fetched`
  console.log(
    `${name.padEnd(42)}${wallS.toFixed(1).padStart(8)} s ${share.padStart(9)} of from nothing ${cpuS.toFixed(1).padStart(7)} s CPU ${memoryMb.toFixed(0).padStart(6)} MB${mirror}`,
  )
}
