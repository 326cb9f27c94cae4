/**
 * A format in which the program stores data. A program reads data from every version since 1.0.0,
 * and migrates old data. It refuses data from before 1.0.0 and from later versions.
 *
 * Invariant: the version grows by one for each migration, so a format cannot change without one.
 */
export interface StoredFormat<Migration> {
  /** The version in 1.0.0. */
  readonly firstVersion: number
  /** Each migrates data to the next version; the first one, data of `firstVersion`. */
  readonly migrations: readonly Migration[]
  /** The advice for data from before 1.0.0, as a sentence without a full stop. */
  readonly adviceForOld: string
}

/**
 * Returns the version that this program writes.
 *
 *     currentVersion({ firstVersion: 3, migrations: ['to 4'], adviceForOld: '' }) // 4
 */
export function currentVersion({ firstVersion, migrations }: StoredFormat<unknown>): number {
  return firstVersion + migrations.length
}

/** Data has a version that this program cannot read. The message has both versions and advice. */
export class UnreadableVersion extends SyntaxError {
  override name = 'UnreadableVersion'
  readonly hasAdvice = true
}

const adviceForNew =
  'It was written by a later version of the program: run that version, or restore a backup from before the upgrade'

/**
 * Returns the migrations that data of a version needs; none if it is up to date.
 *
 *     migrationsFrom({ firstVersion: 3, migrations: ['4'], adviceForOld: '' }, 3, 'it') // ['4']
 *
 * @param subject names the data in the message, which begins with it
 * @throws {UnreadableVersion} the version is later, older than 1.0.0, or missing
 */
export function migrationsFrom<Migration>(
  format: StoredFormat<Migration>,
  version: unknown,
  subject: string,
): readonly Migration[] {
  const { firstVersion, migrations, adviceForOld } = format
  const current = currentVersion(format)
  if (Number.isInteger(version) && Number(version) >= firstVersion && Number(version) <= current)
    return migrations.slice(Number(version) - firstVersion)
  const readable = firstVersion === current ? `version ${current}` : `versions ${firstVersion} to ${current}`
  const advice = Number(version) > current ? adviceForNew : `It is from before 1.0.0. ${adviceForOld}`
  throw new UnreadableVersion(
    `${subject} has format version ${String(version)}, but this program reads ${readable}. ${advice}`,
  )
}
