/** The checks of `doctor`: each returns a message, or throws an error that says what to do. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Plan } from '#contract/plans.ts'
import { missingAnalyser } from '#nightly/index/version.ts'
import { systemClock } from '#kit/clock.ts'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { openStore, type OpeningFault } from '#metering/open-store.ts'
import { compareWithLimits, countFiles, type LimitedSizes } from '#release/limits.ts'
import { releasePath, tableFiles, type TableFile } from '#release/paths.ts'
import { TreeProbe } from '#release/probe.ts'
import { openRelease, readCurrent, readManifest, readPointer, type Release } from '#release/release.ts'
import type { Tree } from '#release/tree.ts'
import type { Failure } from '../command-line.ts'
import { probePort } from '../serve/listen.ts'

const wantedNode = 26
/** The largest error of a clock that has no effect on periods and Retry-After. */
const clockSlackMs = 60_000

/** Returns the result of work. @throws {Error} with the explanation of its fault */
async function orExplain<T>(
  work: () => T | Promise<T>,
  explain: (fault: string, error: OpeningFault) => string,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Error(explain(explainSystemError(error as Error), error as Error), { cause: error })
  }
}

export function checkNode(version: string): string {
  if (Number.parseInt(version) >= wantedNode) return `this is Node ${version}`
  throw new Error(
    `Node ${version} is too old. Install Node ${wantedNode} or later, or run the command with "npm run clip-lookup"`,
  )
}

/**
 * Checks that a port is free, or that this service listens on it: at `path` it answers with `mark`.
 */
export async function checkPort(host: string, port: number, path: string, mark: string): Promise<string> {
  try {
    await probePort({ host, port, isPortShared: false })
    return `${host}:${port} is free`
  } catch (error) {
    if ((error as Failure & { cause: NodeJS.ErrnoException }).cause.code !== 'EADDRINUSE') throw error
    const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
    const text = await fetch(`http://${name}:${port}${path}`, { signal: AbortSignal.timeout(2000) })
      .then((answer) => (answer.ok ? answer.text() : ''))
      .catch(() => '')
    if (text.includes(mark)) return `the service already answers on ${host}:${port}`
    const advice = 'Stop that program, or choose another port'
    throw new Error(`${host}:${port} is in use by another program. ${advice}`, { cause: error })
  }
}

/** Checks that only owner and group can access the store's files, and this user can write them. */
export async function checkModes(file: string): Promise<string> {
  if (!existsSync(file)) throw new Error(`there is no file "${file}"`)
  const files = [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each))
  const modeOf = (path: string) => statSync(path).mode & 0o777
  for (const path of files) {
    if (modeOf(path) & 0o007)
      throw new Error(
        `every user on this machine can open "${path}" (mode ${modeOf(path).toString(8)}). Run chmod o-rwx "${path}"`,
      )
  }
  for (const path of [...files, dirname(file)])
    await orExplain(
      () => accessSync(path, constants.R_OK | constants.W_OK),
      () =>
        `you have no permission to write "${path}": run the command as the user of the service, or change the owner`,
    )
  return `other users cannot open "${file}" (mode ${modeOf(file).toString(8)})`
}

/** Opens the store as the service does, without creating one. */
export async function checkStore(url: string, file: string | null, plans: readonly Plan[]): Promise<string> {
  if (file !== null && !existsSync(file))
    throw new Error(
      `there is no store at "${file}". Create it with "keys create --account NAME", or set --store`,
    )
  const store = await orExplain(
    () => openStore(url, { plans, clock: systemClock, patienceMs: 2000 }),
    (fault, { hasAdvice }) => (hasAdvice ? fault : `${fault}. Check --store and --plans`),
  )
  try {
    // Counts like a request without a key does, so that a full disk or a read-only replica shows.
    await store.counters.consume({ kind: 'address', address: 'doctor', perMinute: 1_000 }, 0)
    const accounts = await store.directory.accounts()
    const latestMs = accounts.reduce((latest, { createdAtMs }) => Math.max(latest, createdAtMs), 0)
    if (latestMs > systemClock.now() + clockSlackMs)
      throw new Error(
        `an account was created at ${new Date(latestMs).toISOString()}, which is in the future. The clock is or was wrong`,
      )
    return `the store can be opened (accounts: ${accounts.length})`
  } finally {
    await store.close()
  }
}

/**
 * Opens the release that the tree points to, as `serve` does: its tables must have their digests.
 */
export async function openCurrent(tree: Tree): Promise<Release> {
  const { release } = await readRelease(tree)
  return await orExplain(
    () => openRelease(tree, release),
    (fault) => `${fault}. Run "verify" to list the damaged files, and restore them or roll back`,
  )
}

/** Describes the release in service. */
export async function checkTree(tree: Tree, opening: Promise<Release>): Promise<string> {
  const current = await opening
  await new TreeProbe().read(current)
  const { release, manifest, rollbackSince } = await readRelease(tree)
  const hours = Math.round((systemClock.now() - manifest.builtAtMs) / 3_600_000)
  const note = rollbackSince ? `; a rollback has held it since ${rollbackSince}, until "releases resume"` : ''
  return `release ${release} is in service, built ${hours} hours ago${note}`
}

/**
 * Compares the sizes of the release in service with the limits. `limits` override the usual values.
 */
export async function checkLimits(
  { folder }: Tree,
  opening: Promise<Release>,
  limits: LimitedSizes = {},
): Promise<string> {
  const current = await opening.catch(() => null)
  if (current === null) return 'this was not checked: no release can be read'
  const { clips, words, manifest } = current
  const clipCount = clips.liveRows().reduce((count) => count + 1, 0)
  const sizeOf = (file: 'changes.json' | TableFile) => {
    if (folder === undefined) return 0
    const path = join(folder, releasePath(manifest.release, file))
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  const sizes = {
    files: countFiles(clipCount, words.pageCount),
    clipRows: clips.rowCount,
    words: words.count,
    tableBytes: Math.max(...tableFiles.map(sizeOf)),
    changesBytes: sizeOf('changes.json'),
  }
  const findings = compareWithLimits(sizes, limits)
  if (findings.length === 0) return 'no size of the release is near its limit'
  return findings.map(({ place, reason }) => `${place} ${reason}`).join('. ')
}

function readRelease(tree: Tree) {
  return orExplain(
    async () => {
      const pointer = await readPointer(tree)
      return { ...pointer, manifest: await readManifest(tree, pointer.release) }
    },
    (fault) => `no release can be read from "${tree.location}": ${fault}. Build one, or set --data`,
  )
}

/** Compares the clock with that of the origin, if any, and with the time of the release. */
export async function checkClock(tree: Tree, origin: string | null): Promise<string> {
  const nowMs = systemClock.now()
  const timeText = new Date(nowMs).toISOString()
  const advice = 'Set it, and keep it synchronised with NTP'
  const head = { method: 'HEAD', signal: AbortSignal.timeout(3000) }
  const answer = origin === null ? null : await fetch(`${origin}/current.json`, head).catch(() => null)
  const originMs = Date.parse(answer?.headers.get('date') ?? '')
  if (Math.abs(originMs - nowMs) > clockSlackMs)
    throw new Error(
      `the clock differs from the clock of the origin by ${Math.round((nowMs - originMs) / 1000)} s. ${advice}`,
    )
  const release = await readRelease(tree).catch(() => null)
  if (release && release.manifest.builtAtMs > nowMs + clockSlackMs)
    throw new Error(`the clock shows ${timeText}, before the release was built. ${advice}`)
  return `it shows ${timeText}${Number.isNaN(originMs) ? '' : ', and agrees with the clock of the origin'}`
}

/** Fetches the pointer of the tree, if it is behind an origin. */
export async function checkOrigin(uncachedTree: Tree, origin: string | null): Promise<string> {
  if (origin === null) return 'this was not checked: --data is a folder'
  const startMs = performance.now()
  await orExplain(
    () => readCurrent(uncachedTree),
    (fault) =>
      `cannot read current.json from ${origin}: ${fault}. Check the address, the network and --data-token`,
  )
  return `${origin} answers in ${Math.round(performance.now() - startMs)} ms`
}

/** Checks that this user can write the cache of an origin's files, or create its folder. */
export async function checkCache(folder: string, origin: string | null): Promise<string> {
  if (origin === null) return 'this was not checked: --data is a folder'
  let nearest = folder
  while (!existsSync(nearest)) nearest = dirname(nearest)
  await orExplain(
    () => {
      // A path that ends with a separator must be a folder.
      accessSync(`${nearest}${sep}`, constants.R_OK | constants.W_OK | constants.X_OK)
    },
    (fault) =>
      `files of the origin cannot be kept in "${folder}", so the service cannot start while the origin is down: ${fault}. Change the owner, or set --data-cache`,
  )
  return `files of the origin are kept in "${folder}"`
}

/** Names the languages whose words a build on this machine would find only by spelling. */
export async function checkAnalysers(tree: Tree): Promise<string> {
  const release = await readRelease(tree).catch(() => null)
  if (release === null) return 'this was not checked: no release can be read'
  const languages = Object.keys(release.manifest.index)
  const missing = languages
    .map((language) => ({ language, reason: missingAnalyser(language) }))
    .filter(({ reason }) => reason !== null)
  if (missing.length === 0) return `analysers are available for ${languages.join(', ')}`
  return missing.map(({ language, reason }) => `In ${language}, ${reason}`).join('. ')
}

export async function checkPlans(readPlans: () => readonly Plan[]): Promise<string> {
  const plans = await orExplain(readPlans, (fault) => `${fault}. Correct the file, or omit --plans`)
  return `the plans are ${plans.map(({ name }) => name).join(', ')}`
}
