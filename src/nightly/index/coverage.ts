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
 * returns 0 for a word without clips.
 */
export function coverageOf(
  clips: Iterable<Covered>,
  catalogue: Catalogue,
  clipCount: (word: CatalogueWord) => number,
): Coverage {
  const byLanguage = Map.groupBy(clips, ({ language }) => language)
  const languages = new Set([...catalogue.keys(), ...byLanguage.keys()])
  return {
    ...sizeOf([...byLanguage.values()].flat()),
    glosses: [...glosses],
    languages: [...languages]
      .sort()
      .map((language) =>
        languageCoverage(language, byLanguage.get(language) ?? [], catalogue.get(language) ?? [], clipCount),
      ),
  }
}

function sizeOf(clips: readonly Covered[]) {
  return {
    clipCount: clips.length,
    totalDurationS: clips.reduce((sum, { durationS }) => sum + durationS, 0),
    channelCount: new Set(clips.map(({ channel }) => channel)).size,
  }
}

function languageCoverage(
  language: string,
  clips: readonly Covered[],
  words: readonly CatalogueWord[],
  clipCount: (word: CatalogueWord) => number,
): LanguageCoverage {
  const withClips = words.filter((word) => clipCount(word) > 0)
  const at = (list: readonly { level: Level }[], level: Level) =>
    list.filter((each) => each.level === level).length
  return {
    language,
    ...sizeOf(clips),
    clipsByLevel: byKey(levels, (level) => at(clips, level)),
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
