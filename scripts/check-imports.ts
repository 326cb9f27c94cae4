/**
 * Checks every import against the order of the rooms: data goes one way, no room reaches into one
 * that does not come before it, and no file imports itself by way of others.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import fastGlob from 'fast-glob'

const contract = ['kit', 'language', 'contract']
const served = [...contract, 'release', 'metering', 'proxy']

/** Which rooms a room may import from, besides itself. */
const allowed: Record<string, readonly string[]> = {
  kit: [],
  language: ['kit'],
  // Not for the proxy, nor for what it imports: a dictionary takes hundreds of megabytes.
  'language/analysers': ['kit', 'language'],
  contract: ['kit', 'language'],
  corpus: contract,
  release: contract,
  metering: contract,
  importing: [...contract, 'corpus', 'language/analysers'],
  indexing: [...contract, 'corpus', 'language/analysers'],
  rendering: [...contract, 'corpus', 'indexing'],
  tree: [...contract, 'corpus', 'release'],
  build: [...contract, 'corpus', 'language/analysers', 'indexing', 'rendering', 'release', 'tree'],
  // The rooms that answer requests never meet, and `http` knows none of them.
  'proxy/http': served,
  'proxy/known': served,
  'proxy/admin': [...served, 'proxy/http'],
  'proxy/feed': [...served, 'proxy/http', 'proxy/known'],
  'proxy/search': [...served, 'proxy/http'],
  'proxy/sentences': [...served, 'proxy/http'],
  'proxy/serve': [...served, 'proxy/http', 'proxy/known'],
  'proxy/site': [...served, 'proxy/http'],
  client: ['contract'],
  site: [...served, 'proxy/http', 'build', 'tree'],
  components: [...contract, 'metering', 'site', 'client'],
  pages: [...contract, 'site', 'components', 'client'],
}
const inProxy = Object.keys(allowed).filter((room) => room.startsWith('proxy/'))
allowed.proxy = [...served, ...inProxy]
allowed.scripts = Object.keys(allowed)

/** Every fault among the files, given by path from the root of the project. */
export function importFaults(texts: ReadonlyMap<string, string>): string[] {
  const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]))
  const circular = circles(imports).map(
    (files) => `${files[0]}: imports itself: ${[...files, files[0]].join(' → ')}`,
  )
  return [...[...imports].flatMap(([file, found]) => directionFaults(file, found)), ...circular]
}

/** Imports as written, by the file of the project that each names. */
type Imports = ReadonlyMap<string, string>

function importsOf(file: string, text: string): Imports {
  const pattern = /\b(?:from|import)\s*\(?\s*['"]([.#][^'"\n?]+)/g
  return new Map(
    [...text.matchAll(pattern)].map(([, target]) => [
      target!.startsWith('#') ? `src/${target!.slice(1)}` : join(file, '..', target!),
      target!,
    ]),
  )
}

function directionFaults(file: string, imports: Imports): string[] {
  const room = roomOf(file)
  if (!(room in allowed)) return [`${file}: no such room`]
  return [...imports].flatMap(([imported, target]) => {
    const other = roomOf(imported)
    if (other === 'package.json') return []
    if (other !== room && !allowed[room]!.includes(other))
      return [`${file}: ${room} must not import from ${other} ("${target}")`]
    if (target.startsWith('#') !== (folderOf(file) === folderOf(imported))) return []
    return [`${file}: a room is imported as #room/file.ts, files of the same by relative path ("${target}")`]
  })
}

function folderOf(file: string): string {
  const [top, folder] = file.split('/')
  return top === 'src' ? folder! : top!
}

/** The folder that holds a file or, in the proxy and the analysers, the folder inside that. */
function roomOf(file: string): string {
  const folder = folderOf(file)
  const inner = `${folder}/${file.split('/')[2]}`
  return inner in allowed || /^proxy\/[^.]+$/.test(inner) ? inner : folder
}

/** Circles of imports, one for each import that closes one. */
function circles(imports: ReadonlyMap<string, Imports>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]) => {
    const begin = way.indexOf(file)
    if (begin >= 0) return void found.push(way.slice(begin))
    if (done.has(file)) return
    for (const next of imports.get(file)?.keys() ?? []) visit(next, [...way, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return found
}

if (import.meta.main) {
  const files = await fastGlob(['src/*/**/*.{ts,astro,mdx}', 'scripts/**/*.{ts,mjs}'], {
    ignore: ['src/content'],
  })
  const faults = importFaults(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
