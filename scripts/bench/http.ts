/**
 * `npm run bench:http`: what the endpoints cost through HTTP, metering included, beside a bare
 * `node:http` server that sends the same bytes and headers (see `compareCpu`). Argument: a tree
 * that is built (of `bench:scale`), or the address of an origin that serves one; without it one of
 * 10,000 clips is made.
 */
import { seededRandom } from '#kit/seeded-random.ts'
import { compareCpu, type Row } from './compare-cpu.ts'
import { keyedGet } from './load.ts'
import { makeWords, videoIdOf } from './make-corpus.ts'
import { runBench } from './run.ts'
import { askJson, makeTree, startBare, startService } from './service.ts'

const madeClips = 10_000

await runBench(async (folder) => {
  const tree = process.argv[2] ?? makeTree(folder, madeClips).path
  const words = makeWords(20_000)
  const service = await startService(folder, tree)
  const random = seededRandom(1)
  const all = await askJson<{ totalCount: number }>(service, '/v1/words?hasClips=false')
  const names = words.slice(0, Math.min(madeClips, all.totalCount)).map(encodeURIComponent)
  const texts = Array.from({ length: 1_000 }, () => {
    const word = words[Math.floor(random() * words.length)]!
    return encodeURIComponent(word.slice(0, 1 + Math.floor(random() * 6)))
  })
  const search = await askJson<{ words: { wordId: number; clipCount: number }[] }>(service, '/v1/words')
  const { wordId: most, clipCount } = search.words[0]!
  const { clipId } = await askJson<{ clipId: string }>(service, '/v1/clips/v0000000000')
  console.log(`the most covered word has ${clipCount} clips`)
  const row = async (name: string, pathAt: (i: number) => string): Promise<Row> => {
    const requestAt = (i: number) => keyedGet(pathAt(i), service.keys[0]!)
    const asked = { name, server: service, requestAt }
    return { ...asked, base: { ...asked, name: 'bare', server: await startBare(service, pathAt(0)) } }
  }
  const ids = (count: number, from: number) =>
    Array.from({ length: count }, (_, i) => videoIdOf((from * count + i) % madeClips)).join()
  const rows = [
    await row('feed of 20, cached', () => '/v1/feed?seed=2026-11-20'),
    await row('feed of 20, another seed each', (i) => `/v1/feed?seed=s${i}`),
    await row('word→clips of 20', () => `/v1/words/${most}/clips`),
    await row('word→clips of 20, another word each', (i) => `/v1/words/${names[i % names.length]}/clips`),
    await row('search, hot', () => '/v1/words?q=st'),
    await row('search, 1,000 texts', (i) => `/v1/words?q=${texts[i % texts.length]!}`),
    await row('search, each text once', (i) => `/v1/words?q=${texts[i % texts.length]!}${i.toString(36)}`),
    await row('50 clips by id', (i) => `/v1/clips?ids=${ids(50, i)}`),
    await row('feed of 20, one level', (i) => `/v1/feed?seed=s${i}&clipLevel=B1`),
    await row('sentences, 1,000 words', (i) => `/v1/sentences?q=${names[i % 1_000]}`),
    await row('transcript', () => `/v1/clips/${clipId}/transcript`),
    await row('clip', () => `/v1/clips/${clipId}`),
  ]
  await compareCpu(rows, 4_000)
})
