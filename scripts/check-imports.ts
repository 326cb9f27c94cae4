/** Holds every import against the rooms' order: data goes one way, and nobody reaches into a room that is not before it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'

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
  tree: ['kit', 'language', 'contract', 'corpus', 'indexing', 'rendering', 'release', 'build'],
  build: ['kit', 'language', 'contract', 'corpus', 'indexing', 'rendering', 'release', 'tree'],
  proxy: ['kit', 'language', 'contract', 'release', 'metering'],
  site: ['kit', 'language', 'contract', 'release', 'metering', 'build', 'tree', 'proxy'],
  components: ['kit', 'language', 'contract', 'metering', 'site'],
  pages: ['kit', 'language', 'contract', 'site', 'components'],
}

/** Neighbours inside the proxy that never import one another. */
const apart = ['feed', 'search', 'serve']

function faultsOf(file: string): string[] {
  const [, room, inner] = file.split('/') as [string, string, string]
  const imports = [...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map((match) => match[1]!)
  return imports.flatMap((target) => {
    const other = /^#([a-z]+)\//.exec(target)?.[1]
    if (other !== undefined && other !== room && !allowed[room]!.includes(other)) {
      return [`${file}: ${room} must not import from ${other} ("${target}")`]
    }
    if (other === room) return [`${file}: a room imports its own files by relative path ("${target}")`]
    if (target.startsWith('.')) return relativeFaults(file, room, inner, target)
    return []
  })
}

function relativeFaults(file: string, room: string, inner: string, target: string): string[] {
  const path = join(file, '..', target)
  if (!path.startsWith(`src/${room}/`))
    return [`${file}: another room is imported as #room/file.ts ("${target}")`]
  const neighbour = path.split('/')[2]!
  const crosses =
    room === 'proxy' && apart.includes(inner) && apart.includes(neighbour) && inner !== neighbour
  return crosses ? [`${file}: ${inner}/ must not import from ${neighbour}/ ("${target}")`] : []
}

const files = await fastGlob('src/*/**/*.{ts,astro,mdx}', { ignore: ['src/content'] })
const unknown = files
  .filter((file) => !(file.split('/')[1]! in allowed))
  .map((file) => `${file}: no such room`)
const faults = [...unknown, ...files.filter((file) => file.split('/')[1]! in allowed).flatMap(faultsOf)]
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.exitCode = faults.length > 0 ? 1 : 0
