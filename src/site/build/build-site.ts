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
import { readGrowth } from './growth.ts'
import { sitePolicies } from './policy.ts'
import { writePreviews } from './previews.ts'
import { recordSamples } from './record-samples.ts'
import { startSampleService } from './sample-service.ts'
import { siteInputVariable, type SiteInput } from './site-input.ts'
import { replaceAddress } from './replace-address.ts'

export interface SiteOptions extends Pick<SiteInput, 'siteUrl' | 'plans' | 'operator' | 'commands'> {
  /** The published tree that the site goes into. */
  outFolder: string
  /** The address of an embed, which contains `{videoId}`. */
  embedUrl: string
  /** The number of words in each language that the pages show without a key. */
  previewWords: number
  /** Prints a line about the current step. */
  say(line: string): void
  /** Prints the progress of the current step; an empty line at the end. */
  progress(line: string): void
  env: NodeJS.ProcessEnv
}

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Builds the site for the current release and replaces the published site. Returns false and does
 * nothing if the published site was built from the same release, sources and settings.
 *
 * @throws {Error} Astro fails, or an example does not match its schema
 */
export async function buildSite(options: SiteOptions, release: string): Promise<boolean> {
  const digest = await sourceDigest(options)
  const source = `${release} ${digest}`
  // The path does not depend on the release, so a running proxy does not have to load it again.
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
    // The modules that Astro writes here import packages, and the tree can be outside the project.
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

/** Writes all files of the site. Returns the policies of its pages. */
async function makePages(options: SiteOptions, release: string, aside: string) {
  const { outFolder, siteUrl, embedUrl, plans, operator, commands, progress } = options
  const isSample = embedUrl === `${siteUrl}/sample-player/?v={videoId}`
  const folders = { out: join(aside, 'made'), cache: join(aside, 'cache') }
  const { channelIds, ...samples } = await recordAnswers(options, aside, isSample)
  const growth = await readGrowth(outFolder, release)
  const input: SiteInput = { folders, siteUrl, isSample, ...samples, growth, plans, operator, commands }
  const inputFile = join(aside, 'input.json')
  await writeFile(inputFile, JSON.stringify(input))
  await runAstro(aside, inputFile, options)

  // Imported here, because no other command needs these libraries.
  const { drawCards } = await import('./cards.ts')
  const { writePackages } = await import('./packages.ts')
  const { writeMarkdown } = await import('./markdown-pages.ts')
  const clientFolder = join(folders.out, 'client')
  if (!isSample)
    for (const name of ['sample-player', 'sample-clips'])
      await rm(join(clientFolder, name), { recursive: true })
  await cp(join(aside, 'previews'), clientFolder, { recursive: true })
  if (isSample) {
    const { drawPosters } = await import('./posters.ts')
    await drawPosters(clientFolder, channelIds)
  }
  progress('packing the client libraries')
  const packageFolder = await writePackages(clientFolder, aside)
  // The player is a single module without dependencies, for use on other websites.
  await cp(join(packageFolder, 'dist/player/clip-player.js'), join(clientFolder, 'clip-player.js'))
  await nameAddress(clientFolder, siteUrl)
  const pages = await readAll('**/*.html', clientFolder)
  await writeMarkdown(clientFolder, pages)
  progress(`drawing the cards of ${pages.size} pages`)
  await drawCards(clientFolder, [...pages.values()], samples.corpus)
  // The project's own components and those of Starlight.
  const components = await readAll('{node_modules/@astrojs/starlight,src}/**/*.astro', root)
  return sitePolicies(pages, [...components.values()], isSample ? `'self'` : new URL(embedUrl).origin)
}

/** Records the responses that the pages show. A real proxy sends them, with its own store. */
async function recordAnswers(options: SiteOptions, aside: string, isSample: boolean) {
  const { outFolder, previewWords: wordCount, progress } = options
  const service = await startSampleService(resolve(outFolder), aside)
  // A running service would keep the process alive.
  try {
    progress('recording answers')
    const samples = await recordSamples(service)
    const { corpus } = samples
    progress(`writing previews of ${corpus.languages.length} languages`)
    const channelIds = await writePreviews(service, join(aside, 'previews'), { corpus, wordCount, isSample })
    return { ...samples, channelIds }
  } finally {
    await service.stop()
  }
}

/**
 * Replaces the address of the API in pages for API users, in lists and in examples. Pages for
 * operators keep it, because it is the default address of their own service.
 */
async function nameAddress(clientFolder: string, siteUrl: string): Promise<void> {
  const texts = await readAll(['**/*.{html,mjs,txt}', '!{operate,design,decisions,_astro}/**'], clientFolder)
  for (const [file, text] of texts) {
    const newText = replaceAddress(text, siteUrl)
    if (newText !== text) await writeFile(join(clientFolder, file), newText)
  }
}

/** Returns a digest of the settings and source files of a site. */
async function sourceDigest(options: SiteOptions): Promise<string> {
  const { siteUrl, embedUrl, previewWords, plans, operator, commands } = options
  const files = await readAll(
    [
      '{public,src/{client,contract,proxy,site}}/**',
      '!src/client/dist/**',
      '{astro.config.mjs,ec.config.mjs,package.json,package-lock.json}',
    ],
    root,
  )
  const settings = [siteUrl, embedUrl, previewWords, plans, operator, commands]
  return hash('sha256', JSON.stringify([settings, ...files]))
}

/**
 * Runs Astro in a process of its own, so that its memory is freed at the end.
 *
 * @throws {Error} Astro fails; the message contains the end of its output
 */
async function runAstro(folder: string, inputFile: string, { env, progress }: SiteOptions): Promise<void> {
  // Vite reads these variables: with DEV=1, it would render the pages of a development server.
  const { DEV: _dev, PROD: _prod, MODE: _mode, SSR: _ssr, BASE_URL: _base, ...rest } = env
  const astro = join(dirname(createRequire(import.meta.url).resolve('astro/package.json')), 'bin/astro.mjs')
  const settings = { NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', [siteInputVariable]: inputFile }
  progress('preparing the pages')
  // Astro writes intermediate files to the working folder, and the project can be read-only.
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

/** Returns the contents of files, keyed by path, in order of the paths. */
async function readAll(pattern: string | string[], cwd: string): Promise<Map<string, string>> {
  const files = await fastGlob(pattern, { cwd })
  const texts = files.sort().map(async (file) => [file, await readFile(join(cwd, file), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/** Writes the list of the site's files, which a proxy reads to serve the site. */
async function sealSite(
  clientFolder: string,
  site: Omit<Parameters<typeof newSiteFiles>[0], 'files'>,
): Promise<void> {
  // A static host applies every rule that matches a path, and a browser enforces all policies that
  // it receives. So all pages get the policy of the pages with clips.
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
  const nowS = systemClock.now() / 1000
  await utimes(place, nowS, nowS)
  const modifiedMs = (name: string) => statSync(join(all, name)).mtimeMs
  const newestFirst = (await readdir(all)).sort((a, b) => modifiedMs(b) - modifiedMs(a))
  // A proxy can still be running the previous server.
  for (const name of newestFirst.slice(2)) await rm(join(all, name), { recursive: true })
}
