import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import fastGlob from 'fast-glob'
import { systemClock } from '#kit/clock.ts'
import { nullIfNotFound } from '#kit/not-found.ts'
import { newSiteFiles, parseSiteFiles, siteDigest, siteFilesPath, sitePath } from '#release/site-files.ts'
import { privateFolder } from '#release/paths.ts'
import { folderTree } from '#release/tree.ts'
import { readGrowth } from './growth.ts'
import { sitePolicies } from './policy.ts'
import { writePreviews } from './previews.ts'
import { recordSamples } from './record-samples.ts'
import { startSampleService } from './sample-service.ts'
import { siteInputVariable, type SiteInput } from './site-input.ts'

export interface SiteOptions extends Pick<SiteInput, 'siteUrl' | 'plans' | 'operator' | 'commands'> {
  /** The published tree that the site goes into. */
  outFolder: string
  /** Address of an embed, with `{videoId}` in it. */
  embedUrl: string
  /** How many words of each language the pages answer without a key. */
  previewWords: number
  /** Told what is being done, for a person who waits. */
  say(line: string): void
  /** Told how far it is; an empty text when it is done. */
  progress(line: string): void
  env: NodeJS.ProcessEnv
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Builds the site of the release in service and replaces the published one. Returns false, doing
 * nothing, if that was built from the same release, sources and settings.
 *
 * @throws {Error} when Astro fails, or an example does not fit its schema
 */
export async function buildSite(options: SiteOptions, release: string): Promise<boolean> {
  const digest = await sourceDigest(options)
  const source = `${release} ${digest}`
  // Its place does not depend on the release: a proxy that runs it need not load it again.
  const server = `${privateFolder}/site-server/${digest.slice(0, 22)}/entry.mjs`
  const publishedSource = await readFile(join(options.outFolder, siteFilesPath), 'utf8')
    .then((list) => parseSiteFiles(list).source)
    .catch(() => null)
  if (publishedSource === source) return false
  const aside = join(resolve(options.outFolder), privateFolder, `site-${process.pid}`)
  try {
    options.say('building the developer site …')
    await rm(aside, { recursive: true, force: true })
    await mkdir(aside, { recursive: true })
    // The tree may be anywhere, and what Astro makes on its way there imports packages.
    await symlink(join(root, 'node_modules'), join(aside, 'node_modules'), 'junction')
    const pages = await makePages(options, release, aside)
    await sealSite(join(aside, 'made', 'client'), { release, url: options.siteUrl, source, server, ...pages })
    await publishServer(dirname(join(options.outFolder, server)), aside)
    const place = join(options.outFolder, sitePath)
    await nullIfNotFound(rename(place, join(aside, 'old')))
    await rename(join(aside, 'made', 'client'), place)
    return true
  } catch (error) {
    throw new Error(`cannot build the site: ${(error as Error).message}`, { cause: error })
  } finally {
    options.progress('')
    await rm(aside, { recursive: true, force: true })
  }
}

/** Makes all files of the site, and gives the policies of its pages. */
async function makePages(options: SiteOptions, release: string, aside: string) {
  const { outFolder, siteUrl, embedUrl, plans, operator, commands, progress } = options
  const isSample = embedUrl === `${siteUrl}/sample-player/?v={videoId}`
  const folders = { out: join(aside, 'made'), cache: join(aside, 'cache') }
  const samples = await recordAnswers(options, aside, isSample)
  const growth = await readGrowth(outFolder, release)
  const input: SiteInput = { folders, siteUrl, ...samples, growth, plans, operator, commands }
  const inputFile = join(aside, 'input.json')
  await writeFile(inputFile, JSON.stringify(input))
  await runAstro(aside, inputFile, options)

  // Loaded here only: every other command does without these libraries.
  const { drawCards } = await import('./cards.ts')
  const { writeMarkdown } = await import('./markdown-pages.ts')
  const clientFolder = join(folders.out, 'client')
  if (!isSample) await rm(join(clientFolder, 'sample-player'), { recursive: true })
  await cp(join(aside, 'previews'), clientFolder, { recursive: true })
  await bundlePlayer(join(clientFolder, 'clip-player.js'))
  await nameAddress(clientFolder, siteUrl)
  const pages = await readAll('**/*.html', clientFolder)
  await writeMarkdown(clientFolder, pages)
  progress(`drawing the cards of ${pages.size} pages`)
  await drawCards(clientFolder, [...pages.values()], samples.corpus)
  // Ours, and those of Starlight.
  const components = await readAll('{node_modules/@astrojs/starlight,src}/**/*.astro', root)
  return sitePolicies(pages, [...components.values()], isSample ? `'self'` : new URL(embedUrl).origin)
}

/** Has the proxy itself answer what the pages show, with a store of its own. */
async function recordAnswers(options: SiteOptions, aside: string, isSample: boolean) {
  const { outFolder, previewWords: wordCount, progress } = options
  const service = await startSampleService(folderTree(resolve(outFolder)), aside)
  // A service that is not stopped keeps the process alive.
  try {
    progress('recording answers')
    const samples = await recordSamples(service)
    const { corpus } = samples
    progress(`writing previews of ${corpus.languages.length} languages`)
    await writePreviews(service, join(aside, 'previews'), { corpus, wordCount, isSample })
    return samples
  } finally {
    await service.stop()
  }
}

/** Writes the player as one module without dependencies, for the pages of others. */
async function bundlePlayer(file: string): Promise<void> {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [join(root, 'src/client/player/clip-player.ts')],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    loader: { '.css': 'text', '.html': 'text' },
    // Nothing of the tree around the project has a say in it.
    tsconfigRaw: {},
    logLevel: 'silent',
  })
}

/** The address that pages and examples have in their text for that of the API. */
const writtenAddress = 'http://127.0.0.1:8080'

/**
 * Puts the address of the site into the pages for users of the API, into lists and examples. Those
 * for operators mean the address that a service listens on.
 */
async function nameAddress(clientFolder: string, siteUrl: string): Promise<void> {
  const texts = await readAll(['**/*.{html,mjs,txt}', '!{operate,design,decisions,_astro}/**'], clientFolder)
  for (const [file, text] of texts)
    if (text.includes(writtenAddress))
      await writeFile(join(clientFolder, file), text.replaceAll(writtenAddress, siteUrl))
}

/** Tells what a site is made from besides its release: the settings, and files of the project. */
async function sourceDigest(options: SiteOptions): Promise<string> {
  const { siteUrl, embedUrl, previewWords, plans, operator, commands } = options
  const files = await readAll(
    ['{public,src/{client,contract,proxy,site}}/**', '{astro.config.mjs,package.json,package-lock.json}'],
    root,
  )
  const settings = [siteUrl, embedUrl, previewWords, plans, operator, commands]
  return hash('sha256', JSON.stringify([settings, ...files]))
}

/**
 * In a process of its own: what Astro and Vite load and keep is gone with it.
 *
 * @throws {Error} with the end of what it printed
 */
async function runAstro(folder: string, inputFile: string, { env, progress }: SiteOptions): Promise<void> {
  // Vite would take these for its own: under DEV=1 the pages would be those of a development
  // server.
  const { DEV: _dev, PROD: _prod, MODE: _mode, SSR: _ssr, BASE_URL: _base, ...rest } = env
  const astro = join(dirname(createRequire(import.meta.url).resolve('astro/package.json')), 'bin/astro.mjs')
  const settings = { NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', [siteInputVariable]: inputFile }
  progress('preparing the pages')
  // Astro keeps its intermediate files below the working folder; the project itself may be
  // read-only.
  const run = promisify(execFile)(process.execPath, [astro, 'build', '--root', root], {
    cwd: folder,
    env: { ...rest, ...settings },
    maxBuffer: Infinity,
  })
  let pages = 0
  run.child.stdout!.on('data', (text: string) => {
    pages += text.split('index.html').length - 1
    if (pages > 0) progress(`rendering pages  ${pages}`)
  })
  await run.catch(({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
    const lines = stripVTControlCharacters(stdout + stderr)
      .trim()
      .split('\n')
    throw new Error(`astro build ended with ${code}:\n${lines.slice(-25).join('\n')}`)
  })
}

/** The texts of files by their paths, in order. */
async function readAll(pattern: string | string[], cwd: string): Promise<Map<string, string>> {
  const files = await fastGlob(pattern, { cwd })
  const texts = files.sort().map(async (file) => [file, await readFile(join(cwd, file), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/** Lists what was made, so that a proxy can take the site up whole. */
async function sealSite(
  clientFolder: string,
  site: Omit<Parameters<typeof newSiteFiles>[0], 'files'>,
): Promise<void> {
  // For a host of static files: it joins the rules that fit a path, and two policies allow what
  // both allow. So all pages get that of those with clips.
  const headers = await readFile(new URL('_headers', import.meta.url), 'utf8')
  const policy = site.policies['index.html'] ?? site.policy
  await writeFile(join(clientFolder, '_headers'), headers.replace('{policy}', policy))
  const names = (await fastGlob('**', { cwd: clientFolder, dot: true })).sort()
  const entries = await Array.fromAsync(names, async (name) => {
    const bytes = await readFile(join(clientFolder, name))
    return [name, { digest: siteDigest(bytes), sizeBytes: bytes.length }] as const
  })
  const files = newSiteFiles({ ...site, files: Object.fromEntries(entries) })
  await writeFile(join(clientFolder, 'files.json'), JSON.stringify(files))
}

async function publishServer(place: string, aside: string): Promise<void> {
  const all = dirname(place)
  await mkdir(all, { recursive: true })
  if (!existsSync(place)) await rename(join(aside, 'made', 'server'), place)
  const usedS = systemClock.now() / 1000
  await utimes(place, usedS, usedS)
  const usedMs = (name: string) => statSync(join(all, name)).mtimeMs
  const aged = (await readdir(all)).sort((a, b) => usedMs(b) - usedMs(a))
  // A proxy may still run the one before.
  for (const name of aged.slice(2)) await rm(join(all, name), { recursive: true })
}
