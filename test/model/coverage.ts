/**
 * `GET /corpus` without `release` and `builtAt` (contract 1.5).
 */
import type { Coverage, LanguageCoverage } from '#contract/corpus.ts'
import { clipCountOf, entriesIn, type Indexed, type IndexedClip } from './indexed.ts'
import { nfc } from './spelling.ts'
import { GLOSSES, LEVELS, type Gloss, type Level } from './source.ts'
import { halfUp } from './known.ts'

/** "Languages with a catalogue or clips, by code." */
export function corpusRecord(index: Indexed): Coverage {
  const withCatalogue = Object.keys(index.source.catalogues)
  const withClips = index.clips.map((clip) => clip.source.language)
  const languages = [...new Set([...withCatalogue, ...withClips])].toSorted()
  return {
    ...sizeOf(index.clips),
    glosses: [...GLOSSES],
    languages: languages.map((language) => languageRecord(language, index)),
  }
}

function languageRecord(language: string, index: Indexed): LanguageCoverage {
  const clips = index.clips.filter((clip) => clip.source.language === language)
  const entries = entriesIn(language, index.entries)
  const withClips = entries.filter((entry) => clipCountOf(entry, index.clips) > 0)
  return {
    language,
    ...sizeOf(clips),
    clipsByLevel: byLevel((level) => clips.filter((clip) => clip.source.level === level).length),
    wordCount: entries.length,
    wordsWithClips: withClips.length,
    wordsByLevel: byLevel((level) => ({
      words: entries.filter((entry) => entry.word.level === level).length,
      withClips: withClips.filter((entry) => entry.word.level === level).length,
    })),
    // "share of words with a meaning, 4 decimals"
    glossCoverage: byGloss((gloss) => {
      const having = entries.filter((entry) => entry.word.meanings[gloss] !== undefined)
      return halfUp(having.length, entries.length, 4)
    }),
  }
}

/** Returns `clipCount`, `totalDurationS` and `channelCount` of clips; channels differ by id. */
function sizeOf(clips: IndexedClip[]): { clipCount: number; totalDurationS: number; channelCount: number } {
  let totalDurationS = 0
  for (const clip of clips) totalDurationS += clip.source.durationS
  const channels = new Set(clips.map((clip) => nfc(clip.source.channel.id)))
  return { clipCount: clips.length, totalDurationS, channelCount: channels.size }
}

function byLevel<T>(of: (level: Level) => T): Record<Level, T> {
  return Object.fromEntries(LEVELS.map((level) => [level, of(level)])) as Record<Level, T>
}

function byGloss<T>(of: (gloss: Gloss) => T): Record<Gloss, T> {
  return Object.fromEntries(GLOSSES.map((gloss) => [gloss, of(gloss)])) as Record<Gloss, T>
}
