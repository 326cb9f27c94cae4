/**
 * Builds the package into dist/, or into another folder. `npm pack` and the build of the site run
 * it, on the Node version that they run on. Types are not checked here but by `npm run types`.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'

const folder = dirname(fileURLToPath(import.meta.url))
const dist = resolve(process.argv[2] ?? join(folder, 'dist'))

await rm(dist, { recursive: true, force: true })
const { config } = ts.readConfigFile(join(folder, 'tsconfig.build.json'), ts.sys.readFile)
const { options: compilerOptions, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
for (const fileName of fileNames.filter((name) => !name.endsWith('.d.ts'))) {
  const text = await readFile(fileName, 'utf8')
  const script = ts.transpileModule(text, {
    compilerOptions: { ...compilerOptions, isolatedDeclarations: false },
    fileName,
  })
  const declarations = ts.transpileDeclaration(text, { compilerOptions, fileName, reportDiagnostics: true })
  const [fault] = declarations.diagnostics
  if (fault) throw new Error(`${fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, '\n')}`)
  const target = join(dist, relative(folder, fileName)).replace(/\.ts$/, '')
  await mkdir(dirname(target), { recursive: true })
  await writeFile(`${target}.js`, script.outputText)
  // The compiler does not change the extensions in declarations.
  await writeFile(
    `${target}.d.ts`,
    declarations.outputText.replace(/(from '\.{1,2}\/[^']*|import\("\.{1,2}\/[^"]*)\.ts(['"])/g, '$1.js$2'),
  )
}

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
