/**
 * Records the sample data of the clients' test services from a service with the sample corpus, such
 * as `npm start` gives: `node scripts/record-client-samples.ts http://127.0.0.1:8080/v1 KEY`.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ClipLookup } from '#client/clip-lookup.ts'
import { glossary } from '#client/helpers/glossary.ts'
import type { SampleData } from '#client/testing/sample-data.ts'

const fileIn = (path: string) => fileURLToPath(new URL(`../src/client/${path}`, import.meta.url))
const clipCounts = { en: 8, ja: 4 }

const [baseUrl, key] = process.argv.slice(2)
if (baseUrl === undefined || key === undefined) throw new Error('expected a base URL and a key')
const client = new ClipLookup({ baseUrl, key, mode: 'background' })

const data: SampleData = { clips: [], transcripts: [], words: [], focusWords: {} }
for (const [language, limit] of Object.entries(clipCounts)) {
  const { items } = await client.getFeed({ language, limit, seed: 'sample' })
  const ids = items.map(({ clip }) => clip.clipId)
  for (const clip of (await client.listClips({ ids })).items) {
    const { videoId } = clip
    const embedUrl = `https://www.youtube.com/embed/${videoId}`
    data.clips.push({ ...clip, embedUrl, watchUrl: `https://www.youtube.com/watch?v=${videoId}` })
    data.transcripts.push(await client.getTranscript({ clipId: clip.clipId }))
  }
  for (const { clip, focusWord } of items) if (focusWord) data.focusWords[clip.clipId] = focusWord
}
const wordIds = new Set<number>()
for (const transcript of data.transcripts)
  for (const id of (await glossary(client, transcript)).keys()) wordIds.add(id)
for (const word of [...wordIds].sort((a, b) => a - b)) {
  const { language } = data.transcripts.find(({ cues }) =>
    cues.some(({ words }) => words.some((token) => token.wordIds?.includes(word))),
  )!
  data.words.push(await client.getWord({ word: String(word), language }))
}

await writeFile(fileIn('python/clip_lookup/sample_data.json'), `${JSON.stringify(data)}\n`)
const sampleFile = fileIn('testing/sample-data.ts')
const literal = JSON.stringify(data).replaceAll('`', '\\u0060').replaceAll('${', '\\u0024{')
const source = await readFile(sampleFile, 'utf8')
await writeFile(
  sampleFile,
  source.replace(/String\.raw`.*`/, () => `String.raw\`${literal}\``),
)
