import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { toDate } from '#contract/dates.ts'
import type { Problem } from '#corpus/problem.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { sha256 } from '#kit/digest.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { guardAgainst } from './guards.ts'
import type { Ledger } from '#tree/ledger.ts'
import { planBuild, type Plan } from './plan.ts'
import type { Tell } from './progress.ts'
import { nextSeen, readSource, releaseRendered, renderMissing, type SourceTexts } from './read-source.ts'
import type { ReleaseBefore } from './release-before.ts'
import type { BuildReport } from './seal-release.ts'
import { writeSeen } from '#tree/seen.ts'
import { isMuch, lookAtSource, seenTexts } from './source.ts'
import { FirstReject, surveySource, type Survey } from './survey.ts'
import type { Workshop } from './workshop.ts'

interface Deciding {
  options: BuildOptions
  catalogue: Catalogue
  /** Of the catalogue. */
  warnings: Problem[]
  ledger: Ledger
  before: ReleaseBefore
  workshop: Workshop
  tell: Tell
}

/** What a night comes to. */
export interface Decided {
  plan: Plan
  report: BuildReport
  /** The slots of clips that were rendered and are not published. */
  dropped: ReadonlySet<number>
  /** Where what was seen of the source lies, to be kept when the night is over; null where it is kept already. */
  seen: string | null
}

/**
 * Reads what is new in the source and decides what becomes of every clip. All that was read is let go of when this returns but for the clips that are published: it would
 * take a kilobyte a clip to the end of the night.
 *
 * @throws {BuildStopped} a guard holds the build back
 */
export async function decide(deciding: Deciding): Promise<Decided> {
  const { options, catalogue, warnings, ledger, before, workshop, tell } = deciding
  const { corpusFolder, outFolder, urls, clock } = options
  const source = await lookAtSource(options, workshop.openedNs)
  const crew = workshop.hire(
    {
      corpusFolder,
      outFolder,
      catalogue,
      urls,
      indexedAt: toDate(clock.now()),
      published: publishedDigests(ledger),
      seen: seenTexts(source),
    },
    options.threads,
  )
  if (isMuch(source.stale, source)) crew.expectMuch()
  const texts = await readSource(corpusFolder, source, crew, tell)
  const survey = surveyOrStop(texts, ledger, options.strict)
  ledger.tree ||= newTreeId(options, survey)
  const plan = planBuild(survey, ledger, before.live, options.replace)
  guard({ survey, plan, before, catalogue, options })
  const slots = await renderMissing(corpusFolder, source, crew, plan, tell)
  const dropped = droppedSlots([...slots, ...releaseRendered(texts)], plan)
  const next = nextSeen(texts, source)
  const seen = next && join(workshop.asideFolder, 'seen')
  if (next) await writeSeen(seen!, next)
  return { plan, report: { rejected: survey.rejected, kept: plan.kept, warnings }, dropped, seen }
}

function publishedDigests(ledger: Ledger): Set<string> {
  const digests = new Set<string>()
  for (const { sourceDigest, pruned } of ledger.entries.values()) if (!pruned) digests.add(sourceDigest)
  return digests
}

/** 128 bits in 22 characters, for they stand in every cursor, whose length is bounded: random, or made from the day and the source. */
function newTreeId({ reproducible, clock }: BuildOptions, survey: Survey): string {
  const source = [String(clock.now()), ...[...survey.accepted.values()].map(({ digest }) => digest)]
  const bits = reproducible ? sha256(source.join('\0')) : randomBytes(16)
  return bits.subarray(0, 16).toString('base64url')
}

function surveyOrStop(texts: SourceTexts, ledger: Ledger, strict: boolean): Survey {
  try {
    return surveySource([...texts.values()].flat(), ledger, strict)
  } catch (error) {
    if (!(error instanceof FirstReject)) throw error
    throw new BuildStopped('a source clip was rejected (--strict): nothing was published', [error.problem])
  }
}

interface Guarded extends Pick<Deciding, 'options' | 'catalogue' | 'before'> {
  survey: Survey
  plan: Plan
}

function guard({ survey, plan, before, catalogue, options }: Guarded): void {
  const counts = {
    accepted: survey.accepted.size,
    rejected: survey.rejected.length,
    published: before.live.size,
    withdrawn: plan.withdrawn.length,
    lostCatalogues: lostCatalogues(before, catalogue),
  }
  const reason = guardAgainst(counts, options.maxShrink)
  if (reason !== null) throw new BuildStopped(reason, survey.rejected)
}

function lostCatalogues({ opened }: ReleaseBefore, catalogue: Catalogue): string[] {
  const languages = opened?.words.languages ?? []
  return languages.filter((language) => !catalogue.get(language)?.length)
}

/** Of the slots of all clips that were rendered, those of clips that are not published. */
function droppedSlots(slots: number[], plan: Plan): Set<number> {
  const dropped = new Set(slots)
  for (const { rendered } of plan.publish.values()) dropped.delete(rendered!.slot)
  return dropped
}
