/**
 * Builds the package into dist/, or into another folder: `npm pack` runs it. Needs the development
 * dependencies of the project, and runs on the Node version that npm runs on.
 */
import { execFileSync } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const folder = dirname(fileURLToPath(import.meta.url))
const dist = resolve(process.argv[2] ?? join(folder, 'dist'))
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')

await rm(dist, { recursive: true, force: true })
const project = join(folder, 'tsconfig.build.json')
execFileSync(process.execPath, [compiler, '--project', project, '--outDir', dist], { stdio: 'inherit' })

/** Finds the styles and the markup of elements beside their sources. */
const textFiles = {
  name: 'text-files',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\?(raw|inline)$/ }, ({ path, resolveDir }) => ({
      path: join(folder, relative(dist, resolveDir), path.replace(/\?.*/, '')),
    })),
}

/** The elements import styles and markup, which the bundle contains as text. */
for (const element of ['player/clip-player', 'finder/clip-finder'])
  await build({
    entryPoints: [join(dist, `${element}.js`)],
    outfile: join(dist, `${element}.js`),
    bundle: true,
    minify: true,
    format: 'esm',
    loader: { '.css': 'text', '.html': 'text' },
    plugins: [textFiles],
    // The finder shares these with its page.
    external: ['../clip-lookup.js', '../helpers/entry.js', '../player/clip-player.js'],
    tsconfigRaw: {},
    logLevel: 'warning',
    allowOverwrite: true,
  })

// The compiler does not change the extensions in declaration files.
for (const file of await readdir(dist, { recursive: true })) {
  if (!file.endsWith('.d.ts')) continue
  const text = await readFile(join(dist, file), 'utf8')
  await writeFile(
    join(dist, file),
    text.replace(/(from '\.{1,2}\/[^']*|import\("\.{1,2}\/[^"]*)\.ts(['"])/g, '$1.js$2'),
  )
}
