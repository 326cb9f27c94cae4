import type { FeedClip } from '#contract/clip.ts'
import type { Coverage, LanguageCoverage } from '#contract/corpus.ts'
import { glosses, type Gloss } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { share } from '#kit/round.ts'

/** The fields of a clip that count towards coverage. */
export type CoveredClip = Pick<FeedClip, 'language' | 'level' | 'durationS'> & { channel: { id: string } }

/** The clips of a language, or of all languages. */
class ClipCount {
  clipCount = 0
  totalDurationS = 0
  readonly clipsByLevel = byKey(levels, () => 0)
  readonly channels = new Set<string>()

  add({ level, durationS, channel }: CoveredClip): void {
    this.clipCount++
    this.totalDurationS += durationS
    this.clipsByLevel[level]++
    this.channels.add(channel.id)
  }

  size() {
    const { clipCount, totalDurationS, channels } = this
    return { clipCount, totalDurationS, channelCount: channels.size }
  }
}

/**
 * Counts what the corpus covers, for the record of GET /corpus without the release (contract 1.5).
 */
export class CoverageCounter {
  readonly #all = new ClipCount()
  readonly #byLanguage = new Map<string, ClipCount>()

  add(clip: CoveredClip): void {
    this.#all.add(clip)
    this.#byLanguage.getOrInsertComputed(clip.language, () => new ClipCount()).add(clip)
  }

  /** Returns the record. `clipCountOf` returns 0 for a word without clips. */
  finish(catalogue: Catalogue, clipCountOf: (word: CatalogueWord) => number): Coverage {
    const languages = [...new Set([...catalogue.keys(), ...this.#byLanguage.keys()])].sort()
    return {
      ...this.#all.size(),
      glosses: [...glosses],
      languages: languages.map((language) => {
        const clips = this.#byLanguage.get(language) ?? new ClipCount()
        return languageCoverage(language, clips, catalogue.get(language) ?? [], clipCountOf)
      }),
    }
  }
}

function languageCoverage(
  language: string,
  clips: ClipCount,
  words: readonly CatalogueWord[],
  clipCountOf: (word: CatalogueWord) => number,
): LanguageCoverage {
  const withClips = words.filter((word) => clipCountOf(word) > 0)
  const countAt = (list: readonly CatalogueWord[], level: Level) =>
    list.filter((word) => word.level === level).length
  return {
    language,
    ...clips.size(),
    clipsByLevel: clips.clipsByLevel,
    wordCount: words.length,
    wordsWithClips: withClips.length,
    wordsByLevel: byKey(levels, (level) => ({
      words: countAt(words, level),
      withClips: countAt(withClips, level),
    })),
    glossCoverage: byKey(glosses, (gloss: Gloss) =>
      share(words.filter((word) => word.meanings[gloss] !== undefined).length, words.length, 4),
    ),
  }
}

function byKey<K extends string, T>(keys: readonly K[], value: (key: K) => T): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, T>
}
