import { levels } from '#contract/levels.ts'
import type { Crew } from './crew.ts'
import type { Ledger, LedgerEntry } from '#tree/ledger.ts'
import { TouchedWords } from './list-words.ts'
import type { Plan } from './plan.ts'
import type { Published } from './publish-clips.ts'
import type { Tell } from './progress.ts'
import type { ReleaseBefore } from './release-before.ts'
import type { ReleaseInTheMaking } from './release-in-the-making.ts'
import type { SentenceSegments } from './sentence-segments.ts'
import type { IndexedClip, Reindexed } from './tasks.ts'

/** How many clips a hand indexes anew in one order, and from how many on the work is given to threads. */
const clipsAnOrder = 64
const muchToIndex = 2_000

interface Indexing {
  plan: Plan
  ledger: Ledger
  before: ReleaseBefore
  /** Whether its index may be gone on from. */
  goOn: boolean
  /** Each comes when its files are in their place. */
  published: AsyncIterable<Published>
  /** Of today's catalogue (`lexiconDigests`). */
  lexicons: Readonly<Record<string, string>>
  crew: Crew
  making: ReleaseInTheMaking
  sentences: SentenceSegments
  tell: Tell
}

/**
 * Brings every clip of the plan into the release: those published tonight as they were rendered; those of the release before as they stand in its tables; and where
 * the catalogue of the language is another than they were indexed by, or they were withdrawn, indexed anew. Gives the words whose lists that changes.
 */
export async function indexClips(indexing: Indexing): Promise<TouchedWords> {
  const { plan, ledger, before, published, making, sentences } = indexing
  const carried = carriedLanguages(indexing)
  const touched = new TouchedWords(before.opened, carried)
  const staying = new Map([...plan.stay.keys()].map((clipId) => [clipId, ledger.entries.get(clipId)!]))
  if (before.opened) {
    const { clips, postings } = before.opened
    for (const row of clips.liveRows()) {
      const clipId = clips.clipId(row)
      const { language, ordinal } = clips.placeOf(row)
      // After a rollback the ledger may know a later record of a clip than the release has.
      const revision = clips.revision(row)
      const isCarried =
        carried.has(language) &&
        staying.get(clipId)?.revision === revision &&
        sentences.has(language, ordinal, revision)
      if (isCarried) {
        making.carry(before.opened, row)
        sentences.keep(language, ordinal, revision)
        staying.delete(clipId)
      } else {
        const said = postings.postings(language, ordinal)
        touched.went({ clipId, language, level: levels[clips.level(row)]!, said })
      }
    }
  }
  const take = (entry: LedgerEntry, indexed: IndexedClip) => {
    const { json, wordCount, indexedAtMs, postings, speech } = indexed
    touched.came(making.add({ ...entry, json, wordCount, indexedAtMs }, postings))
    const { language, ordinal, revision } = entry
    if (speech) sentences.add(language, ordinal, revision, speech)
    else sentences.keep(language, ordinal, revision)
  }
  for await (const { entry, rendered } of published) take(entry, rendered)
  await reindex([...staying.values()], take, indexing)
  return touched
}

async function reindex(
  entries: readonly LedgerEntry[],
  take: (entry: LedgerEntry, indexed: IndexedClip) => void,
  { crew, sentences, tell }: Indexing,
): Promise<void> {
  if (entries.length > muchToIndex) crew.expectMuch()
  let done = 0
  for await (const clips of crew.each('reindex', ordersOf(entries, sentences))) {
    for (const indexed of clips) take(entries[done++]!, indexed)
    tell({ step: 'index', done, total: entries.length })
  }
}

function* ordersOf(entries: readonly LedgerEntry[], sentences: SentenceSegments): Generator<[Reindexed[]]> {
  for (let from = 0; from < entries.length; from += clipsAnOrder) {
    const some = entries.slice(from, from + clipsAnOrder)
    // What is said in a published clip never changes, whatever the catalogue makes of it.
    const wantsSpeech = ({ language, ordinal, revision }: LedgerEntry) =>
      !sentences.has(language, ordinal, revision)
    yield [some.map((entry) => ({ ...entry, wantsSpeech: wantsSpeech(entry) }))]
  }
}

/** The languages whose catalogue is what the release before was indexed by: its index holds for them. */
function carriedLanguages({ before, goOn, lexicons }: Indexing): Set<string> {
  if (!goOn) return new Set()
  const known = before.opened?.manifest.lexicons ?? {}
  const languages = before.opened?.clips.languages ?? []
  return new Set(languages.filter((language) => known[language] === lexicons[language]))
}
