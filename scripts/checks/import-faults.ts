/**
 * Checks every import against the order of the rooms: data goes one way, no room reaches into one
 * that does not come before it, and no file imports itself by way of others.
 */
import { join } from 'node:path/posix'

/** Which rooms a room may import from, besides itself. */
const allowed: Record<string, readonly string[]> = {
  kit: [],
  language: ['kit'],
  contract: ['kit', 'language'],
  corpus: ['kit', 'language', 'contract'],
  release: ['kit', 'language', 'contract'],
  metering: ['kit', 'language', 'contract'],
  importing: ['kit', 'language', 'contract', 'corpus'],
  indexing: ['kit', 'language', 'contract', 'corpus'],
  rendering: ['kit', 'language', 'contract', 'corpus', 'indexing'],
  tree: ['kit', 'language', 'contract', 'corpus', 'release'],
  build: ['kit', 'language', 'contract', 'corpus', 'indexing', 'rendering', 'release', 'tree'],
  proxy: ['kit', 'language', 'contract', 'release', 'metering'],
  client: ['contract'],
  site: ['kit', 'language', 'contract', 'release', 'metering', 'build', 'tree', 'proxy'],
  components: ['kit', 'language', 'contract', 'metering', 'site', 'client'],
  pages: ['kit', 'language', 'contract', 'site', 'components', 'client'],
}

/**
 * What the rooms inside the proxy may import from each other, besides the files beside them. The
 * rooms that answer requests never meet, and `http` knows none of them.
 */
const proxyRooms: Record<string, readonly string[]> = {
  http: [],
  known: [],
  admin: ['http'],
  feed: ['http', 'known'],
  search: ['http'],
  sentences: ['http'],
  serve: ['http', 'known'],
  site: ['http'],
}

/**
 * What the proxy must not load, by whatever way: an analyser's dictionary takes hundreds of
 * megabytes.
 */
const analysers = 'src/language/analysers/'

/** An import as written, and the file it names: null if that is a package. */
interface Import {
  target: string
  file: string | null
}

/** Every fault among the files, given by path from the root of the project. */
export function importFaults(texts: ReadonlyMap<string, string>): string[] {
  const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]))
  return [
    ...[...imports].flatMap(([file, found]) => directionFaults(file, found)),
    ...analyserFaults(imports),
    ...circles(imports).map((files) => `${files[0]}: imports itself: ${[...files, files[0]].join(' → ')}`),
  ]
}

function importsOf(file: string, text: string): Import[] {
  const pattern = /\b(?:from|import)\s*\(?\s*['"]([^'"\n]+)['"]/g
  return [...text.matchAll(pattern)].map(([, written]) => {
    const target = written!.replace(/\?.*$/, '')
    if (target.startsWith('#')) return { target, file: `src/${target.slice(1)}` }
    return { target, file: target.startsWith('.') ? join(file, '..', target) : null }
  })
}

function directionFaults(file: string, imports: readonly Import[]): string[] {
  const [top, room, inner] = file.split('/') as [string, string, string]
  const isProxyRoom = room === 'proxy' && !inner.endsWith('.ts')
  if (top === 'src' && (!(room in allowed) || (isProxyRoom && !(inner in proxyRooms))))
    return [`${file}: no such room`]
  return imports.flatMap(({ target, file: imported }) => {
    if (imported === null || imported === 'package.json' || imported === 'src/package.json') return []
    const fault = top === 'src' ? roomFault(room, inner, target, imported) : scriptFault(target, imported)
    return fault === null ? [] : [`${file}: ${fault} ("${target}")`]
  })
}

function roomFault(room: string, inner: string, target: string, imported: string): string | null {
  const [top, other, neighbour] = imported.split('/') as [string, string, string]
  const isOwn = top === 'src' && other === room
  if (target.startsWith('#') && isOwn) return 'a room imports its own files by relative path'
  if (!target.startsWith('#') && !isOwn) return 'another room is imported as #room/file.ts'
  if (!isOwn && !allowed[room]!.includes(other)) return `${room} must not import from ${other}`
  if (!isOwn || room !== 'proxy' || inner === neighbour) return null
  // A file of the proxy itself, such as `start.ts`, may import all of them.
  const isAllowed =
    !(inner in proxyRooms) || neighbour.endsWith('.ts') || proxyRooms[inner]!.includes(neighbour)
  return isAllowed ? null : `${inner}/ must not import from ${neighbour}/`
}

function scriptFault(target: string, imported: string): string | null {
  if (target.startsWith('#') || imported.startsWith('scripts/')) return null
  return imported.startsWith('src/')
    ? 'a room is imported as #room/file.ts'
    : 'scripts must not import from here'
}

/** The analysers that a file of the proxy loads, each with the way that leads there. */
function analyserFaults(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const faults: string[] = []
  const seen = new Set<string>()
  const visit = (file: string, way: readonly string[]) => {
    if (seen.has(file)) return
    seen.add(file)
    if (file.startsWith(analysers))
      return void faults.push(`${way[0]}: the proxy must not load an analyser: ${[...way, file].join(' → ')}`)
    for (const { file: next } of imports.get(file) ?? []) if (next !== null) visit(next, [...way, file])
  }
  for (const file of imports.keys()) if (file.startsWith('src/proxy/')) visit(file, [])
  return faults
}

/** Circles of imports, one for each import that closes one. */
function circles(imports: ReadonlyMap<string, readonly Import[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (file: string, way: readonly string[]) => {
    const begin = way.indexOf(file)
    if (begin >= 0) return void found.push(way.slice(begin))
    if (done.has(file)) return
    for (const { file: next } of imports.get(file) ?? [])
      if (next !== null && imports.has(next)) visit(next, [...way, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return found
}
