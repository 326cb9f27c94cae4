import type { Plan } from '#contract/plans.ts'
import { missingAnalyser } from '#indexing/version.ts'
import { openStore } from '#metering/open-store.ts'
import type { Manifest } from '#release/manifest.ts'
import { TreeProbe } from '#release/probe.ts'
import { openRelease, readCurrent, readManifest } from '#release/release.ts'
import type { Tree } from '#release/tree.ts'
import { existsSync } from 'node:fs'

/** A clock that is off by more than this affects periods and Retry-After. */
const clockSlackMs = 60_000

/** Opens the store as the service does, without creating one. */
export async function checkStore(
  url: string,
  file: string | null,
  { plans, clock }: { plans: readonly Plan[]; clock: { now(): number } },
): Promise<string> {
  if (file !== null && !existsSync(file))
    throw new Error(`there is no store at "${file}": "keys create --account NAME" creates it, or set --store`)
  const store = await openStore(url, { plans, clock, busyTimeoutMs: 2000 }).catch((error: Error) => {
    throw new Error(`${error.message}; check --store and --plans`, { cause: error })
  })
  try {
    // As a request without a key does, so that a full disk or a read-only replica shows.
    await store.counters.consume({ kind: 'address', address: 'doctor', perMinute: 1_000 }, 0)
    const accounts = await store.directory.accounts()
    const latestMs = accounts.reduce((latest, { createdAtMs }) => Math.max(latest, createdAtMs), 0)
    if (latestMs > clock.now() + clockSlackMs)
      throw new Error(
        `an account was created at ${new Date(latestMs).toISOString()}, which is in the future: the clock is or was wrong`,
      )
    return `the store can be opened (accounts: ${accounts.length})`
  } finally {
    await store.close()
  }
}

/**
 * Opens the release that the tree points to, as `serve` does: its tables must have their digests.
 */
export async function checkTree(tree: Tree, nowMs: number): Promise<string> {
  const { release, manifest } = await readRelease(tree)
  const opened = await openRelease(tree, release).catch((error: Error) => {
    throw new Error(
      `${error.message}; run "verify" to list the damaged files, and restore them or roll back`,
      {
        cause: error,
      },
    )
  })
  await new TreeProbe().read(opened)
  const hours = Math.round((nowMs - manifest.builtAtMs) / 3_600_000)
  return `release ${release} is in service, built ${hours} hours ago`
}

async function readRelease(tree: Tree): Promise<{ release: string; manifest: Manifest }> {
  try {
    const release = await readCurrent(tree)
    return { release, manifest: await readManifest(tree, release) }
  } catch (error) {
    throw new Error(
      `no release can be read from "${tree.location}": ${(error as Error).message}; build one, or set --data`,
      { cause: error },
    )
  }
}

/**
 * Compares the clock with that of the origin, if there is one, and with the time when the release
 * was built.
 */
export async function checkClock(tree: Tree, origin: string | null, nowMs: number): Promise<string> {
  const originMs = origin === null ? null : await originClock(origin)
  if (originMs !== null && Math.abs(originMs - nowMs) > clockSlackMs)
    throw new Error(
      `the clock differs from the clock of the origin by ${Math.round((nowMs - originMs) / 1000)} s: set it, and keep it synchronised with NTP`,
    )
  const builtAtMs = await readRelease(tree).then(
    ({ manifest }) => manifest.builtAtMs,
    () => 0,
  )
  if (builtAtMs > nowMs + clockSlackMs)
    throw new Error(
      `the clock shows ${new Date(nowMs).toISOString()}, before the release was built: set it, and keep it synchronised with NTP`,
    )
  return `it shows ${new Date(nowMs).toISOString()}${originMs === null ? '' : ', and agrees with the clock of the origin'}`
}

async function originClock(origin: string): Promise<number | null> {
  try {
    const answer = await fetch(origin, { method: 'HEAD', signal: AbortSignal.timeout(3000) })
    const ms = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(ms) ? null : ms
  } catch {
    return null
  }
}

/** Fetches the pointer of the tree, if it is behind an origin. */
export async function checkOrigin(uncached: Tree, origin: string | null): Promise<string> {
  if (origin === null) return 'not checked: --data is a folder'
  const startMs = performance.now()
  try {
    await readCurrent(uncached)
  } catch (error) {
    throw new Error(
      `cannot read current.json from ${origin}: ${(error as Error).message}; check the address, the network and --data-token`,
      { cause: error },
    )
  }
  return `${origin} answers in ${Math.round(performance.now() - startMs)} ms`
}

/** Names the languages of the release that a build on this machine would find by spelling alone. */
export async function checkAnalysers(tree: Tree): Promise<string> {
  const release = await readRelease(tree).catch(() => null)
  if (release === null) return 'not checked: no release can be read'
  const languages = Object.keys(release.manifest.index)
  const missing = languages
    .map((language) => ({ language, reason: missingAnalyser(language) }))
    .filter(({ reason }) => reason !== null)
  if (missing.length === 0) return `available for ${languages.join(', ')}`
  return missing.map(({ language, reason }) => `warning: ${language}: ${reason}`).join('; ')
}
