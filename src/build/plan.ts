import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatProblem, type Problem } from '#corpus/problem.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import type { State } from '#tree/state.ts'
import type { PreviousRelease } from './previous-release.ts'
import type { Survey } from './survey.ts'

/** Why a published clip keeps its record although its source differs. */
export interface Kept {
  clipId: string
  reason: string
}

/** What the build does with every clip. The clips to render are in the table `publish`. */
export interface Plan {
  /**
   * How many clips the release has, how many of them are rendered from the source, and from how
   * many bytes of it.
   */
  clips: number
  published: number
  publishedBytes: number
  /** How many texts of the source are accepted. */
  accepted: number
  /**
   * Clips whose published record stays, but that the previous release lacks or has with another
   * record.
   */
  returning: string[]
  /** If the previous release is open: 1 for each of its rows whose clip stays as it is. */
  isUnchanged: Uint8Array
  added: string[]
  replaced: string[]
  withdrawn: string[]
  kept: Kept[]
  /** The rejected texts of clips that are kept. */
  keptInvalid: Problem[]
}

/** An accepted text, and what was published of its clip; null columns if nothing was. */
interface Accepted {
  file: string
  fileId: number
  line: number
  from: number
  to: number
  raw: string
  clipId: string
  videoId: string
  language: string
  digest: string
  id: number | null
  wasLanguage: string
  ordinal: number
  revision: number
  firstRelease: number
  source: string
  sourceDigest: string
  pruned: number
}

const accepted = `
  SELECT f.file, t.fileId, t.line, t."from", t."to", t.raw, t.clipId, t.videoId, t.language, t.digest,
    c.id, c.language AS wasLanguage, c.ordinal, c.revision, c.firstRelease, c.source, c.sourceDigest, c.pruned
  FROM files f JOIN texts t ON t.fileId = f.id LEFT JOIN clips c ON c.clipId = t.clipId
  WHERE t.reason IS NULL AND (t.fileId, t.line) NOT IN (SELECT fileId, line FROM rejectedTexts)
  ORDER BY f.file, t.line`

const publishSql = `INSERT INTO publish VALUES (:clipId, :videoId, :language, :raw, :digest, :file, :from,
  :to, :ordinal, :revision, :firstRelease)`

interface Planning {
  state: State
  before: PreviousRelease
  survey: Survey
  /** The ids whose source is published again, or `all`. */
  replace: ReadonlySet<string> | 'all'
  outFolder: string
}

/** Plans what to do with every clip, and notes it in the state. */
export function planBuild(planning: Planning): Plan {
  const { state } = planning
  state.db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS publish (
      clipId TEXT, videoId TEXT, language TEXT, raw TEXT, digest TEXT, file TEXT, "from" INTEGER, "to" INTEGER,
      ordinal INTEGER, revision INTEGER, firstRelease INTEGER
    );
    DELETE FROM publish`)
  const planner = new Planner(planning)
  for (const text of state.rows<Accepted>(accepted)) planner.take(text)
  planner.takeOthers()
  planner.apply()
  return planner.plan
}

class Planner {
  readonly plan: Plan
  readonly #planning: Planning
  readonly #state: State
  /** By id of the clip in the state, whether the release has it. */
  readonly #isMember: Uint8Array
  /** The clips that are in another file now. */
  readonly #moved: { id: number; file: string }[] = []

  constructor(planning: Planning) {
    this.#planning = planning
    this.#state = planning.state
    const { last } = this.#state.row<{ last: number }>('SELECT IFNULL(MAX(id), 0) AS last FROM clips')!
    this.#isMember = new Uint8Array(last + 1)
    this.plan = {
      clips: 0,
      published: 0,
      publishedBytes: 0,
      accepted: 0,
      returning: [],
      added: [],
      replaced: [],
      withdrawn: [],
      kept: [],
      keptInvalid: [],
      isUnchanged: new Uint8Array(planning.before.opened?.clips.rowCount ?? 0),
    }
  }

  take(text: Accepted): void {
    const { id, clipId, file, sourceDigest, digest, revision } = text
    const { before, replace } = this.#planning
    const { plan } = this
    plan.accepted++
    const live = before.live.revisionOf(clipId)
    if (live === 0) plan.added.push(clipId)
    if (id === null || text.pruned) {
      this.#publish(text)
    } else if (sourceDigest === digest) {
      this.#stay(clipId, revision)
    } else if (replace === 'all' || replace.has(clipId)) {
      this.#publish(text)
      if (live > 0) plan.replaced.push(clipId)
    } else {
      this.#stay(clipId, revision)
      plan.kept.push({ clipId, reason: `${file} differs from what is published` })
    }
    if (id === null) return
    this.#isMember[id] = 1
    if (text.source !== file) this.#moved.push({ id, file })
  }

  /**
   * Clips without an accepted text: those whose source is no longer valid are kept, the others are
   * withdrawn.
   */
  takeOthers(): void {
    const { before, survey } = this.#planning
    for (const { id, clipId, revision } of this.#state.rows<{ id: number; clipId: string; revision: number }>(
      'SELECT id, clipId, revision FROM clips',
    )) {
      if (this.#isMember[id] || before.live.revisionOf(clipId) === 0) continue
      const fault = survey.invalid.get(clipId)
      if (fault) {
        this.#stay(clipId, revision)
        this.#isMember[id] = 1
        this.plan.keptInvalid.push(fault)
        this.plan.kept.push({ clipId, reason: `its source is no longer valid: ${formatProblem(fault)}` })
      } else {
        this.plan.withdrawn.push(clipId)
      }
    }
  }

  /** Notes the files of the clips, and which of them the release has. */
  apply(): void {
    for (const { id, file } of this.#moved)
      this.#state.run('UPDATE clips SET source = ? WHERE id = ?', file, id)
    const turned: number[] = []
    for (const { id, withdrawn } of this.#state.rows<{ id: number; withdrawn: number }>(
      'SELECT id, withdrawn FROM clips',
    ))
      if (this.#isMember[id] === withdrawn) turned.push(id)
    for (const id of turned) this.#state.run('UPDATE clips SET withdrawn = 1 - withdrawn WHERE id = ?', id)
  }

  #stay(clipId: string, revision: number): void {
    const { before } = this.#planning
    this.plan.clips++
    const live = before.live.revisionOf(clipId)
    // After a rollback the previous release may have an earlier record than was published last.
    if (live > 0 && live !== revision) this.plan.replaced.push(clipId)
    if (live === revision && before.opened) this.plan.isUnchanged[before.opened.clips.find(clipId)] = 1
    else this.plan.returning.push(clipId)
  }

  #publish(text: Accepted): void {
    const { clipId, videoId, language, raw, digest, file, from, to, id, wasLanguage } = text
    const state = this.#state
    const ordinal = id !== null && wasLanguage === language ? text.ordinal : state.nextOrdinal(language)
    const revision = this.#nextRevision(clipId, id === null ? 0 : text.revision)
    const firstRelease = id === null ? state.head.releases + 1 : text.firstRelease
    const place = { raw, digest, file, from, to }
    state.run(publishSql, { clipId, videoId, language, ...place, ordinal, revision, firstRelease })
    this.plan.clips++
    this.plan.published++
    this.plan.publishedBytes += to - from
  }

  /**
   * In an inherited tree a name under `data/` may be taken by a clip whose ledger is lost. It keeps
   * its bytes.
   */
  #nextRevision(clipId: string, revision: number): number {
    const isTaken = (path: string) => existsSync(join(this.#planning.outFolder, path))
    let next = revision + 1
    if (this.#state.head.inherited)
      while (isTaken(clipPath(clipId, next)) || isTaken(transcriptPath(clipId, next))) next++
    return next
  }
}
