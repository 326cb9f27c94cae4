/**
 * `npm run bench:origin`: what an origin over HTTP costs the proxy: warm requests beside those of a
 * service on the same tree in a folder, and transcripts that are not in memory beside `http-proxy`
 * that forwards the same files (see `compareCpu`). Argument: a tree that is built (of
 * `bench:scale`, 60,000 clips or more); without it one is made.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareCpu, keyedRow } from './compare-cpu.ts'
import { runBench } from './run.ts'
import { startServer } from './server-process.ts'
import { makeTree, startService } from './service.ts'

/** More transcripts than the proxy keeps in memory, so that each is read again. */
const madeClips = 60_000

await runBench(async (folder) => {
  const tree = process.argv[2] ?? makeTree(folder, madeClips).path
  const clips = clipsOf(tree)
  const { port } = await startServer('servers/files.ts', [tree])
  const address = `http://127.0.0.1:${port}`
  const local = await startService(folder, tree)
  const remote = await startService(folder, address, ['--data-cache', join(folder, 'data-cache')])
  const forward = { ...(await startServer('servers/forward.ts', [address])), keys: ['none'] }
  const warm = (name: string, path: string) => keyedRow(name, remote, path, keyedRow('folder', local, path))
  const clipAt = (i: number) => clips[i % clips.length]!
  await compareCpu(
    [
      warm('feed of 20', '/v1/feed?seed=2026-11-20'),
      warm('clips of a word', '/v1/words/1/clips'),
      warm('search', '/v1/words?q=st'),
      warm('transcript', `/v1/clips/${clipAt(0).videoId}/transcript`),
    ],
    2_000,
  )
  // Apart from the others, which would pay for collecting its garbage.
  const base = keyedRow('http-proxy', forward, (i) => `/${clipAt(i).transcript}`)
  const coldPath = (i: number) => `/v1/clips/${clipAt(i).videoId}/transcript`
  await compareCpu([keyedRow('transcript, not in memory', remote, coldPath, base)], 2_000)
})

interface IndexedClip {
  videoId: string
  transcript: string
}

/** The clips of a tree, from its index of files. */
function clipsOf(tree: string): IndexedClip[] {
  const read = <T>(path: string) => JSON.parse(readFileSync(join(tree, path), 'utf8')) as T
  const { languages } = read<{ languages: Record<string, { clips: string[] }> }>('index.json')
  return languages.en!.clips.flatMap((path) => read<{ items: IndexedClip[] }>(path).items)
}
