import type { FeedClip } from '#contract/clip.ts'
import type { Coverage, LanguageCoverage } from '#contract/corpus.ts'
import { glosses, type Gloss } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { share } from '#kit/round.ts'

/** What coverage needs of a clip. */
export type Covered = Pick<FeedClip, 'language' | 'level' | 'durationS'> & {
  /** A number or text that only clips of its channel have. */
  channel: number | string
}

/**
 * What the corpus covers: the record of GET /corpus without the release (contract 1.5). `clipCount`
 * returns 0 for a word without clips. The clips are taken one by one: there may be millions.
 */
export function coverageOf(
  clips: Iterable<Covered>,
  catalogue: Catalogue,
  clipCount: (word: CatalogueWord) => number,
): Coverage {
  const all = new Tally()
  const byLanguage = new Map<string, Tally>([...catalogue.keys()].map((language) => [language, new Tally()]))
  for (const clip of clips) {
    all.add(clip)
    byLanguage.getOrInsertComputed(clip.language, () => new Tally()).add(clip)
  }
  return {
    ...all.size(),
    glosses: [...glosses],
    languages: [...byLanguage]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([language, tally]) =>
        languageCoverage(language, tally, catalogue.get(language) ?? [], clipCount),
      ),
  }
}

/** Counts clips. */
class Tally {
  readonly byLevel = byKey(levels, () => 0)
  readonly #channels = new Set<Covered['channel']>()
  #totalDurationS = 0

  add({ level, durationS, channel }: Covered): void {
    this.byLevel[level]++
    this.#channels.add(channel)
    this.#totalDurationS += durationS
  }

  size() {
    return {
      clipCount: levels.reduce((sum, level) => sum + this.byLevel[level], 0),
      totalDurationS: this.#totalDurationS,
      channelCount: this.#channels.size,
    }
  }
}

function languageCoverage(
  language: string,
  clips: Tally,
  words: readonly CatalogueWord[],
  clipCount: (word: CatalogueWord) => number,
): LanguageCoverage {
  const withClips = words.filter((word) => clipCount(word) > 0)
  const at = (list: readonly CatalogueWord[], level: Level) =>
    list.filter((word) => word.level === level).length
  return {
    language,
    ...clips.size(),
    clipsByLevel: clips.byLevel,
    wordCount: words.length,
    wordsWithClips: withClips.length,
    wordsByLevel: byKey(levels, (level) => ({ words: at(words, level), withClips: at(withClips, level) })),
    glossCoverage: byKey(glosses, (gloss: Gloss) =>
      share(words.filter((word) => word.meanings[gloss] !== undefined).length, words.length, 4),
    ),
  }
}

function byKey<K extends string, T>(keys: readonly K[], value: (key: K) => T): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, T>
}
