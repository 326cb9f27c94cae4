import { mkdtempSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { build } from '#nightly/build.ts'
import { TreeLocked } from '#tree/refused.ts'
import { FolderTree } from '#release/tree.ts'
import { buildSite } from '#site/build/build-site.ts'
import { commands } from '../../scripts/commands.ts'
import { describeCommands } from '../../scripts/commands/site.ts'
import { freePort } from './free-port.ts'
import { startService, type Service } from './service.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The tree of the sample corpus with its site. It is built once for all test files, and again only
 * if one of its inputs changes.
 */
export const siteTree = join(root, 'node_modules', '.clip-lookup-test', 'dist')

/** The price of the plan `starter` on the site. */
export const price = '€9 a month'

/** The address for which the site is built; nothing listens there. */
export const siteUrl = 'http://127.0.0.1:8099'
const urls = {
  embedUrl: `${siteUrl}/sample-player/?v={videoId}`,
  watchUrl: `${siteUrl}/sample-clips/?v={videoId}`,
}

/**
 * Builds the tree and the site if they do not exist. If another test file is building them, waits
 * for it.
 */
export async function buildSiteTree(): Promise<void> {
  const site = {
    outFolder: siteTree,
    siteUrl,
    embedUrl: urls.embedUrl,
    previewWords: 300,
    plans: defaultPlans.map((plan) => (plan.name === 'starter' ? { ...plan, price } : plan)),
    operator: {
      contact: 'mailto:api@operator.example',
      termsUrl: 'https://operator.example/terms',
      sourceUrl: 'https://operator.example/source',
      statusUrl: null,
      filesUrl: 'https://files.example/tree',
    },
    commands: describeCommands(commands),
    say: () => {},
    progress: () => {},
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  }
  let isFresh = false
  for (;;) {
    try {
      const { siteFault } = await build({
        corpusFolder: join(root, 'src', 'sample-corpus'),
        outFolder: siteTree,
        strict: true,
        replace: 'all',
        maxShrink: 1,
        urls,
        clock: systemClock,
        buildSite: (release) => buildSite(site, release),
      })
      // Otherwise, a previous site would be tested instead of the current one.
      if (siteFault !== null) throw new Error(siteFault)
      return
    } catch (error) {
      if (!(error instanceof TreeLocked)) {
        if (isFresh) throw error
        // A tree from an earlier checkout that this build cannot continue.
        await rm(siteTree, { recursive: true, force: true })
        isFresh = true
      }
      await new Promise((done) => setTimeout(done, 500))
    }
  }
}

/** Starts a service with the site of the sample corpus and open sign-up. */
export async function startSiteService(folder: string): Promise<Service> {
  return await startService({
    folder,
    tree: new FolderTree(siteTree),
    publicPerMinute: 1_000_000,
    clock: systemClock,
    port: await freePort(),
    signUpPerDay: 1000,
  })
}

/** Starts a service with the site for all tests of a file or a suite. */
export function sharedSiteService(): Service & { folder: string } {
  const shared = {} as Service & { folder: string }
  beforeAll(async () => {
    await buildSiteTree()
    const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-site-'))
    Object.assign(shared, await startSiteService(folder), { folder })
  })
  afterAll(async () => {
    await shared.stop()
    rmSync(shared.folder, { recursive: true, force: true })
  })
  return shared
}
