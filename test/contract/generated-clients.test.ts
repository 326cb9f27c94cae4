import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { openApiDocument } from '#contract/openapi.ts'
import { englishVideoIds } from '../fixtures/small-corpus.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { sharedSmallService } from '../proxy/small-service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
/** The generators are not dependencies of the project: they are installed here once. */
const cache = join(root, 'node_modules/.cache/generated-clients')

/** The generators, with the version of every package that they need. */
const locked = join(import.meta.dirname, 'generators')

/** A client: how it is generated, and the program that uses it. */
interface GeneratedClient {
  command: string[]
  /** Files that the generator reads. */
  files?: Record<string, string>
  /**
   * A program with the functions `feed(query)`, `clips(ids)` and `words(q)`, which return the
   * bodies of responses with status 200.
   */
  program: string
}

const clients: Record<string, GeneratedClient> = {
  'openapi-typescript and openapi-fetch': {
    command: ['openapi-typescript', 'openapi.json', '-o', 'client.d.ts'],
    program: `
      import createClient from 'openapi-fetch'
      import type { paths } from './client'
      const client = createClient<paths>({ baseUrl: servers, headers })
      const feed = async (query) => (await client.GET('/feed', { params: { query } })).data
      const clips = async (ids) => (await client.GET('/clips', { params: { query: { ids } } })).data
      const words = async (q) => (await client.GET('/words', { params: { query: { q } } })).data`,
  },
  '@hey-api/openapi-ts': {
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'client', '-c', '@hey-api/client-fetch'],
    program: `
      import { getFeed, listClips, listWords } from './client'
      import { client } from './client/client.gen'
      client.setConfig({ auth: process.env.KEY })
      const feed = async (query) => (await getFeed({ query })).data
      const clips = async (ids) => (await listClips({ query: { ids } })).data
      const words = async (q) => (await listWords({ query: { q } })).data`,
  },
  orval: {
    command: ['orval', '--config', 'orval.config.mjs'],
    files: {
      'orval.config.mjs': `export default { clips: {
        input: 'openapi.json',
        output: { target: 'client.ts', client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } },
      } }`,
    },
    program: `
      import { getFeed, listClips, listWords } from './client'
      const feed = async (query) => (await getFeed(query, { headers })).data
      const clips = async (ids) => (await listClips({ ids }, { headers })).data
      const words = async (q) => (await listWords({ q }, { headers })).data`,
  },
  'swagger-typescript-api': {
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'client.ts'],
    program: `
      import { Api } from './client'
      const api = new Api({ baseApiParams: { headers } })
      const feed = async (query) => (await api.feed.getFeed(query)).data
      const clips = async (ids) => (await api.clips.listClips({ ids })).data
      const words = async (q) => (await api.words.listWords({ q })).data`,
  },
}

const scenario = `
const pages = []
let cursor
do {
  const page = await feed({ seed: 'monday', limit: 2, ...(cursor ? { cursor } : {}) })
  pages.push(page.items.map(({ clip }) => clip.videoId))
  cursor = page.nextCursor
} while (cursor)
const asked = pages.flat().slice(0, 2)
const { items } = await clips(asked)
const { words: [found] } = await words('look')
console.log(JSON.stringify({ walked: pages.flat(), asked, given: items.map(({ videoId }) => videoId), found: found.word }))
`

const service = sharedSmallService()

// The generators are downloaded.
longTest.for(Object.entries(clients))(
  'a client made by %s walks the feed, asks for several clips and searches',
  async ([name, { command, files = {}, program }], { skip }) => {
    const fault = await install()
    skip(fault !== null, fault ?? '')
    const folder = join(cache, name.replace(/\W+/g, '-'))
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    const document = JSON.stringify(openApiDocument(service.origin))
    const source = `const headers = { Authorization: 'Bearer ' + process.env.KEY }
      const servers = '${service.origin}/v1'
      ${program}
      ${scenario}`
    for (const [file, text] of Object.entries({ ...files, 'openapi.json': document, 'main.ts': source }))
      await writeFile(join(folder, file), text)
    const [generator, ...args] = command as [string, ...string[]]
    await run(join(cache, 'node_modules/.bin', generator), args, { cwd: folder })
    const bundle = ['main.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=main.mjs']
    await run(join(root, 'node_modules/.bin/esbuild'), bundle, { cwd: folder })
    const { stdout } = await run(process.execPath, ['main.mjs'], {
      cwd: folder,
      env: { ...process.env, KEY: service.key },
    })
    const { walked, asked, given, found } = JSON.parse(stdout) as Record<string, string[]>
    expect(walked!.toSorted()).toEqual(englishVideoIds)
    expect(given).toEqual(asked)
    expect(found).toBe('look')
  },
)

/** Installs the generators, unless these versions exist. Returns the reason if it could not. */
async function install(): Promise<string | null> {
  const lock = readFileSync(join(locked, 'package-lock.json'), 'utf8')
  const stamp = join(cache, 'installed-lock.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return null
  await mkdir(cache, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(locked, name), join(cache, name))
  try {
    await run('npm', ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund'], { cwd: cache })
    await writeFile(stamp, lock)
    return null
  } catch (error) {
    return `the npm registry does not give the generators: ${(error as Error).message.slice(0, 300)}`
  }
}
