import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import fastGlob from 'fast-glob'
import { systemClock } from '#kit/clock.ts'
import { isNotFound } from '#kit/not-found.ts'
import { newSiteFiles, parseSiteFiles, siteDigest, siteFilesPath, sitePath } from '#release/site-files.ts'
import { privateFolder } from '#release/paths.ts'
import { folderTree } from '#release/tree.ts'
import { readGrowth } from './growth.ts'
import { sitePolicies, type Policies } from './policy.ts'
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

const root = fileURLToPath(new URL('../..', import.meta.url))

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
  const published = await readFile(join(options.outFolder, siteFilesPath), 'utf8')
    .then((list) => parseSiteFiles(list).source)
    .catch(() => null)
  if (published === source) return false
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
    await publishSite(options.outFolder, aside)
    return true
  } catch (error) {
    throw new Error(`cannot build the site: ${(error as Error).message}`, { cause: error })
  } finally {
    options.progress('')
    await rm(aside, { recursive: true, force: true })
  }
}

/** Makes all files of the site, and gives the policies of its pages. */
async function makePages(options: SiteOptions, release: string, aside: string): Promise<Policies> {
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
  const made = join(folders.out, 'client')
  if (!isSample) await rm(join(made, 'sample-player'), { recursive: true })
  await cp(join(aside, 'previews'), made, { recursive: true })
  await bundlePlayer(join(made, 'clip-player.js'))
  await nameAddress(made, siteUrl)
  const pages = await readAll('**/*.html', made)
  await writeMarkdown(made, pages)
  progress(`drawing the cards of ${pages.size} pages`)
  await drawCards(made, [...pages.values()], input.corpus)
  const components = await readAll(componentFiles, root)
  return sitePolicies(pages, [...components.values()], isSample ? `'self'` : new URL(embedUrl).origin)
}

/** Has the proxy itself answer what the pages show, with a store of its own. */
async function recordAnswers(
  { outFolder, previewWords, progress }: SiteOptions,
  aside: string,
  isSample: boolean,
) {
  const service = await startSampleService(folderTree(resolve(outFolder)), aside)
  // A service that is not stopped keeps the process alive.
  try {
    progress('recording answers')
    const samples = await recordSamples(service)
    progress(`writing previews of ${samples.corpus.languages.length} languages`)
    const previews = { corpus: samples.corpus, wordCount: previewWords, isSample }
    await writePreviews(service, join(aside, 'previews'), previews)
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
    loader: { '.css': 'text' },
    // Nothing of the tree around the project has a say in it.
    tsconfigRaw: {},
    logLevel: 'silent',
  })
}

/** The address that pages and examples have in their text for that of the API. */
const writtenAddress = 'http://127.0.0.1:8080'

/**
 * Puts the address of the site into the pages for users of the API and into the examples. Those for
 * operators mean the address that a service listens on.
 */
async function nameAddress(made: string, siteUrl: string): Promise<void> {
  const texts = await readAll(['**/*.{html,mjs}', '!{operate,design,decisions,_astro}/**'], made)
  for (const [file, text] of texts)
    if (text.includes(writtenAddress))
      await writeFile(join(made, file), text.replaceAll(writtenAddress, siteUrl))
}

/** Tells what a site is made from besides its release: the settings, and files of the project. */
async function sourceDigest(options: SiteOptions): Promise<string> {
  const { siteUrl, embedUrl, previewWords, plans, operator, commands } = options
  const files = await readAll(
    [
      'src/{client,components,content,contract,pages,proxy,site}/**',
      'src/content.config.ts',
      'public/**',
      'astro.config.mjs',
      'package.json',
      'package-lock.json',
    ],
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
async function runAstro(
  folder: string,
  inputFile: string,
  { env, progress }: Pick<SiteOptions, 'env' | 'progress'>,
): Promise<void> {
  // Vite would take these for its own: under DEV=1 the pages would be those of a development
  // server.
  const { DEV: _dev, PROD: _prod, MODE: _mode, SSR: _ssr, BASE_URL: _base, ...rest } = env
  const astro = createRequire(import.meta.url).resolve('astro/package.json')
  const child = spawn(process.execPath, [join(dirname(astro), 'bin/astro.mjs'), 'build', '--root', root], {
    // Astro keeps its intermediate files below the working folder; the project itself may be
    // read-only.
    cwd: folder,
    env: {
      ...rest,
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      [siteInputVariable]: inputFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let pages = 0
  progress('preparing the pages')
  const keep = (chunk: Buffer) => {
    const text = chunk.toString()
    printed = (printed + text).slice(-20_000)
    const made = text.match(/index\.html/g)?.length ?? 0
    if (made > 0) progress(`rendering pages  ${(pages += made)}`)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done))
  const lines = stripVTControlCharacters(printed).trim().split('\n')
  if (code !== 0) throw new Error(`astro build ended with ${code}:\n${lines.slice(-25).join('\n')}`)
}

/** All components that pages are made of: ours, and those of Starlight. */
const componentFiles = '{node_modules/@astrojs/starlight,src/components,src/pages}/**/*.astro'

/** The texts of files by their paths, in order. */
async function readAll(pattern: string | string[], cwd: string): Promise<Map<string, string>> {
  const files = await fastGlob(pattern, { cwd })
  const texts = files.sort().map(async (file) => [file, await readFile(join(cwd, file), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}

/** Lists what was made, so that a proxy can take the site up whole. */
async function sealSite(
  made: string,
  site: Policies & { release: string; url: string; source: string; server: string },
): Promise<void> {
  await writeFile(join(made, '_headers'), siteHeaders(site.policies['index.html'] ?? site.policy))
  const names = (await fastGlob('**', { cwd: made, dot: true })).sort()
  const entries = await Array.fromAsync(names, async (name) => {
    const bytes = await readFile(join(made, name))
    return [name, { digest: siteDigest(bytes), sizeBytes: bytes.length }] as const
  })
  const files = newSiteFiles({ ...site, files: Object.fromEntries(entries) })
  await writeFile(join(made, 'files.json'), JSON.stringify(files))
}

/**
 * Cache rules and policy for a host of static files whose root the site is. Hosts join the rules
 * that fit a path, and two policies allow what both allow: so all pages get that of those with
 * clips.
 */
function siteHeaders(policy: string): string {
  return `/*
  Content-Security-Policy: ${policy}
  X-Content-Type-Options: nosniff
  Referrer-Policy: strict-origin-when-cross-origin

/_astro/*
  Cache-Control: public, max-age=31536000, immutable
`
}

/** How many programs that render pages are kept: a proxy may still run the one before. */
const serversKept = 2

async function publishServer(place: string, aside: string): Promise<void> {
  const all = dirname(place)
  await mkdir(all, { recursive: true })
  if (!existsSync(place)) await rename(join(aside, 'made', 'server'), place)
  const usedS = systemClock.now() / 1000
  await utimes(place, usedS, usedS)
  const aged = (await readdir(all)).map((name) => ({ name, usedMs: statSync(join(all, name)).mtimeMs }))
  for (const { name } of aged.sort((a, b) => b.usedMs - a.usedMs).slice(serversKept))
    await rm(join(all, name), { recursive: true })
}

/** Moves the site that was made into the place of the one before. */
async function publishSite(outFolder: string, aside: string): Promise<void> {
  const place = join(outFolder, sitePath)
  await rename(place, join(aside, 'old')).catch((error: NodeJS.ErrnoException) => {
    if (!isNotFound(error)) throw error
  })
  await rename(join(aside, 'made', 'client'), place)
}
