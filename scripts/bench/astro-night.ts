/**
 * Run by `bench:nightly` in a process of its own: an Astro project whose endpoints render every
 * file under `data/` of a tree, byte for byte. Arguments: the tree, an empty folder for the
 * project.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'astro'

const [tree, project] = process.argv.slice(2) as [string, string]
process.env.ASTRO_TELEMETRY_DISABLED = '1'
const endpoint = `
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
const data = ${JSON.stringify(join(tree, 'data'))}
export function getStaticPaths() {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ params: { path: join(entry.parentPath, entry.name).slice(data.length + 1) } }))
}
export function GET({ params }) {
  return new Response(readFileSync(join(data, params.path)))
}
`
mkdirSync(join(project, 'src/pages/data'), { recursive: true })
writeFileSync(join(project, 'src/pages/data/[...path].ts'), endpoint)
symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(project, 'node_modules'))
const startMs = performance.now()
// As the site does: what Astro needs of itself is bundled, for what stands beside ours is of other
// versions.
await build({
  root: project,
  logLevel: 'silent',
  vite: { environments: { prerender: { resolve: { noExternal: true } } } },
})
const took = { buildS: (performance.now() - startMs) / 1000, buildMb: process.resourceUsage().maxRSS / 1024 }
process.stdout.write(`\n${JSON.stringify(took)}\n`)
