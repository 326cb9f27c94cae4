/**
 * A format in which the program stores data. A program reads what every version since 1.0.0 wrote:
 * it takes old data through the migrations. It refuses what was written before 1.0.0, and what a
 * later version wrote.
 *
 * Invariant: the version grows by one for each migration, so a format cannot change without one.
 */
export interface StoredFormat<Migration> {
  /** The version that 1.0.0 writes. */
  readonly firstVersion: number
  /** Each brings data to the next version: the first one, data of `firstVersion`. */
  readonly migrations: readonly Migration[]
  /** What to do with data from before 1.0.0, as a sentence without a full stop. */
  readonly adviceForOld: string
}

/**
 * The version that this program writes.
 *
 *     currentVersion({ firstVersion: 3, migrations: ['to 4'], adviceForOld: '' }) // 4
 */
export function currentVersion({ firstVersion, migrations }: StoredFormat<unknown>): number {
  return firstVersion + migrations.length
}

/** Data has a version that this program does not read. The message has both, and what to do. */
export class UnreadableVersion extends SyntaxError {
  override name = 'UnreadableVersion'
}

const adviceForNew =
  'It was written by a later version of the program: run that version, or restore a backup from before the upgrade'

/**
 * The migrations that data of a version needs; none if it is up to date.
 *
 *     migrationsFrom({ firstVersion: 3, migrations: ['4'], adviceForOld: '' }, 3, 'it') // ['4']
 *
 * @param subject names the data in the message, which begins with it
 * @throws {UnreadableVersion} the version is later, earlier than that of 1.0.0, or none
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
