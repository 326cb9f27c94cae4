import type { Problem } from '#corpus/problem.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { SoundText } from '#tree/source-text.ts'
import type { State } from '#tree/state.ts'
import { BuildStopped } from './build-stopped.ts'

/** The faults of the source. */
export interface Survey {
  rejected: Problem[]
  /**
   * By clip id, the published clips whose source is rejected, with the fault. They are invalid, not
   * gone.
   */
  invalid: Map<string, Problem>
}

/**
 * Decides which texts of the source are rejected: those that are invalid by themselves, and those
 * that conflict with others or with what is published. The table `rejectedTexts` then holds those
 * of the second kind.
 *
 * @throws {BuildStopped} with `strict`, if one is rejected
 */
export function surveySource(state: State, strict: boolean): Survey {
  state.db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS rejectedTexts (fileId INTEGER, line INTEGER, PRIMARY KEY (fileId, line)) WITHOUT ROWID;
    DELETE FROM rejectedTexts`)
  const surveyor = new Surveyor(state, strict)
  surveyor.rejectFaulty()
  surveyor.settleContested()
  return surveyor.survey
}

/** A valid text of a video that has several, or that is published under another id. */
interface Candidate extends SoundText {
  file: string
  fileId: number
  line: number
}

/**
 * The videos that have several texts, and those whose text has the clip id of another video or
 * differs from the id that it was published under.
 */
const contested = `
  SELECT videoId FROM texts WHERE reason IS NULL GROUP BY videoId HAVING COUNT(*) > 1
  UNION SELECT t.videoId FROM texts t JOIN clips c ON c.videoId = t.videoId WHERE t.reason IS NULL AND c.clipId <> t.clipId
  UNION SELECT t.videoId FROM texts t JOIN clips c ON c.clipId = t.clipId WHERE t.reason IS NULL AND c.videoId <> t.videoId
  UNION SELECT videoId FROM texts WHERE clipId IN (
    SELECT clipId FROM texts WHERE reason IS NULL GROUP BY clipId HAVING MIN(videoId) <> MAX(videoId))`

/** What was published of a clip or video. */
type Known = Pick<LedgerEntry, 'clipId' | 'videoId' | 'source' | 'sourceDigest'>

class Surveyor {
  readonly survey: Survey = { rejected: [], invalid: new Map() }
  readonly #state: State
  readonly #strict: boolean
  #bySource: Map<string, string> | null = null

  constructor(state: State, strict: boolean) {
    this.#state = state
    this.#strict = strict
  }

  rejectFaulty(): void {
    const rows = this.#state.rows<
      Problem & { line: number; field: string | null; clipId: string | null; videoId: string | null }
    >(
      `SELECT f.file, t.line, t.field, t.reason, t.videoId, c.clipId
        FROM files f JOIN texts t ON t.fileId = f.id LEFT JOIN clips c ON c.videoId = t.videoId
        WHERE t.reason IS NOT NULL ORDER BY f.file, t.line`,
    )
    for (const { file, line, field, reason, videoId, clipId } of rows) {
      const published = videoId === null ? this.#publishedFrom(file) : clipId
      this.#reject({ file, line, ...(field === null ? {} : { field }), reason }, published)
    }
  }

  settleContested(): void {
    const rows = this.#state.rows<Candidate>(
      `SELECT f.file, t.fileId, t.line, t.clipId, t.videoId, t.language, t.digest
        FROM files f JOIN texts t ON t.fileId = f.id
        WHERE t.reason IS NULL AND t.videoId IN (${contested}) ORDER BY f.file, t.line`,
    )
    const byVideo = Map.groupBy(rows, ({ videoId }) => videoId)
    const owners = new Map<string, string>()
    for (const [videoId, candidates] of byVideo) {
      const published = this.#published('videoId', videoId)
      const winner = this.#choose(candidates, published)
      if (!winner) continue
      const { clipId } = winner
      const owner = owners.get(clipId) ?? this.#published('clipId', clipId)?.videoId ?? videoId
      if (owner === videoId) owners.set(clipId, videoId)
      else this.#rejectText(winner, 'clipId', `is the id of the clip of video "${owner}"`, clipId)
    }
  }

  /**
   * Of several clips of one video the published one wins, else the first by path; the others are
   * rejected.
   */
  #choose(candidates: Candidate[], published: Known | undefined): Candidate | undefined {
    const clipId = published?.clipId ?? candidates[0]!.clipId
    const named = candidates.filter((candidate) => candidate.clipId === clipId)
    const others = candidates.filter((candidate) => candidate.clipId !== clipId)
    for (const other of others)
      this.#rejectText(
        other,
        'clipId',
        `video "${other.videoId}" is published as clip ${clipId}`,
        published?.clipId,
      )
    const winner =
      named.find(({ digest }) => digest === published?.sourceDigest) ??
      named.find(({ file }) => file === published?.source) ??
      named[0]
    for (const other of named) {
      if (other === winner) continue
      const first = `${winner!.file}${winner!.line === 0 ? '' : `:${winner!.line}`}`
      this.#rejectText(other, 'videoId', `video "${other.videoId}" has a clip already, in ${first}`)
    }
    return winner
  }

  #published(column: 'clipId' | 'videoId', id: string): Known | undefined {
    return this.#state.row(`SELECT clipId, videoId, source, sourceDigest FROM clips WHERE ${column} = ?`, id)
  }

  /** The published clip of a one-clip file that no longer names its video. */
  #publishedFrom(file: string): string | undefined {
    if (!this.#bySource) {
      this.#bySource = new Map()
      const sql = `SELECT source, clipId FROM clips WHERE source LIKE '%.json' AND NOT withdrawn`
      for (const { source, clipId } of this.#state.rows<{ source: string; clipId: string }>(sql))
        this.#bySource.set(source, clipId)
    }
    return this.#bySource.get(file)
  }

  #rejectText(text: Candidate, field: string, reason: string, published?: string): void {
    const { file, fileId, line } = text
    this.#state.run('INSERT INTO rejectedTexts VALUES (?, ?)', fileId, line)
    this.#reject({ file, line, field, reason }, published)
  }

  /** A fault without a line belongs to a one-clip or empty file: it is reported at line 1. */
  #reject({ file, line, ...rest }: Problem & { line: number }, published?: string | null): void {
    const problem = { file, line: Math.max(1, line), ...rest }
    if (this.#strict)
      throw new BuildStopped('a source clip was rejected (--strict): nothing was published', [problem])
    this.survey.rejected.push(problem)
    if (published) this.survey.invalid.set(published, problem)
  }
}
