import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { writePackages } from '#site/build/packages.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { nodes } from '../harness/nodes.ts'
import { root, sharedSiteService } from '../harness/site-service.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { sharedSmallService } from '../proxy/small-service.ts'

const run = promisify(execFile)
const clientFolder = join(root, 'src', 'client')
const { exports, version } = JSON.parse(readFileSync(join(clientFolder, 'package.json'), 'utf8')) as {
  exports: Record<string, string>
  version: string
}
const archiveNames = [`clip-lookup-client-${version}.tgz`, `clip_lookup_client-${version}.tar.gz`]

/** The largest sizes of the entries in bytes, minified and compressed with gzip. */
const maxSizes: Record<string, number> = {
  '.': 4 * 1024,
  './cache': 3 * 1024,
  './known': 3 * 1024,
  './helpers': 3 * 1024,
  './player': 8 * 1024,
  './finder': 4 * 1024,
}

const service = sharedSmallService()
const site = sharedSiteService()
/** An empty project, in which the package is installed. */
let folder: string
let packageFolder: string

beforeAll(async () => {
  folder = service.folder
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const archive = `${site.origin}/${archiveNames[0]}`
  await run('npm', ['install', '--no-audit', '--no-update-notifier', archive], { cwd: folder })
  packageFolder = join(folder, 'node_modules', 'clip-lookup-client')
})

test('the package has the project’s version and contains only built and described files', () => {
  const versionIn = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
  expect(versionIn(join(packageFolder, 'package.json'))).toBe(versionIn(join(root, 'package.json')))
  expect(readdirSync(packageFolder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
})

test('the same sources give the same archives', async () => {
  const out = tempFolder()
  await writePackages(out, tempFolder())
  expect(readdirSync(out)).toEqual(archiveNames)
  for (const name of archiveNames) {
    const response = await fetch(`${site.origin}/${name}`)
    expect(response.headers.get('content-type')).toBe('application/gzip')
    expect(readFileSync(join(out, name)).equals(await response.bytes()), name).toBe(true)
  }
})

test('no entry of the package is larger than the docs promise', async () => {
  const sizes = Object.keys(exports).filter((name) => name in maxSizes)
  expect(sizes).toEqual(Object.keys(maxSizes))
  for (const name of sizes) {
    const { outputFiles } = await build({
      entryPoints: [join(packageFolder, exports[name]!)],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      // The other entries have sizes of their own.
      external:
        name === '.' ? [] : ['../clip-lookup.js', '../helpers/entry.js', '../player/*', './clip-lookup.js'],
    })
    const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
    process.stderr.write(`clip-lookup-client ${name}: ${size} bytes\n`)
    expect(size, name).toBeLessThanOrEqual(maxSizes[name]!)
  }
})

const program = (baseUrl: string, key: string) => `
import { ClipLookup, ClipLookupError, type WordClipPage } from 'clip-lookup-client'

import { flashcard, glossary, highlight, toWebVtt } from 'clip-lookup-client/helpers'
import { CachedClipLookup } from 'clip-lookup-client/cache'
import { folderStorage } from 'clip-lookup-client/cache/folder'
import { createForwarder, honoHandler, nodeHandler } from 'clip-lookup-client/forwarder'
import { SampleService } from 'clip-lookup-client/testing'
import { KnownWords, packIds, unpackIds } from 'clip-lookup-client/known'
import type { ClipFinder } from 'clip-lookup-client/finder'
import type { ClipPlayer } from 'clip-lookup-client/player'

const client = new ClipLookup({ baseUrl: '${baseUrl}', key: '${key}' })
const page: WordClipPage = await client.listWordClips({ word: 'cat', limit: 1, level: ['A1', 'B2'] })
const forward = createForwarder({ baseUrl: '${baseUrl}', key: '${key}' })
if (!(await forward(new Request('http://app.example/corpus'), '')).ok) throw new Error('not passed on')
const sample = new ClipLookup(new SampleService())
if ((await sample.getFeed()).items.length === 0) throw new Error('no samples')
const handlers = { nodeHandler, honoHandler }
const cache = new CachedClipLookup(client, { storage: folderStorage('kept-${key}'), maxSize: undefined })
for (let i = 0; i < 3; i++) await cache.getTranscript({ clipId: 'cat-sitter' })
if (cache.stats.saved !== 2) throw new Error('the cache has saved ' + cache.stats.saved)
const titles: string[] = page.items.map(({ clip }) => clip.title)
for await (const { clip, focusWord } of client.items('getFeed', { limit: 2, level: 'A1' }))
  titles.push(clip.title, focusWord?.word ?? '')
try {
  await client.getClip({ clipId: 'nosuchclip' })
} catch (error) {
  if (!(error instanceof ClipLookupError) || !error.is('not_found')) throw error
  titles.push(error.code)
}
try {
  // @ts-expect-error -- there is no such parameter
  await client.listWords({ lang: 'en' })
} catch (error) {
  if (error instanceof ClipLookupError && error.is('rate_limited')) titles.push(error.retryAfter.toFixed())
}
const transcript = await client.getTranscript({ clipId: 'cat-sitter' })
titles.push(toWebVtt(transcript).slice(0, 6), (await glossary(client, transcript)).get(7)!.word)
const [{ clip, occurrences }] = page.items as [(typeof page.items)[0]]
const parts = { word: page.word, clip, occurrence: occurrences[0]! }
// As for a language without readings.
const noTranscript = titles.length > 0 ? undefined : transcript
titles.push(flashcard({ ...parts, transcript: noTranscript }).form, highlight('🐈 cat', 2, 5).match)
const known = new KnownWords({ wordIds: Array.from({ length: 900 }, (_, i) => 2 * i) })
const { items } = await client.getFeed({ known: await known.toParameter(), limit: 1 })
titles.push(String(items[0]?.unknownCount), String(unpackIds(await packIds([70, 3]))))
export function listen(player: ClipPlayer, finder: ClipFinder) {
  player.addEventListener('word', ({ detail }) => titles.push(detail.word.text, detail.cue.text))
  finder.addEventListener('moment', ({ detail }) => titles.push(detail.clip.title, detail.moment.text))
}
console.log(JSON.stringify(titles.concat(Object.keys(handlers))))
`

longTest('a program in an empty project compiles in strict mode', async () => {
  writeFileSync(join(folder, 'program.ts'), program(`${service.origin}/v1`, 'key'))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  for (const [moduleResolution, module] of [
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ]) {
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module,
      moduleResolution,
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    await run(process.execPath, [compiler], { cwd: folder }).catch((error: { stdout: string }) => {
      throw new Error(`${moduleResolution}: ${error.stdout}`)
    })
  }
})

test.each(nodes)('a program that uses the package runs on %s', async (node) => {
  const key = await service.newKey(`package-${node}`)
  const { stripTypeScriptTypes } = await import('node:module')
  writeFileSync(join(folder, 'program.mjs'), stripTypeScriptTypes(program(`${service.origin}/v1`, key)))
  const { stdout } = await run(node, ['program.mjs'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual(
    expect.arrayContaining(['not_found', 'WEBVTT', 'cat', expect.stringMatching(/^\d$/), '3,70']),
  )
})
