/** The source corpus in memory (contract 2), without anything derived. */

/** Spec 2: "CEFR level enumeration used everywhere", easiest first. */
export const LEVELS = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const
export type Level = (typeof LEVELS)[number]

/** Spec 2: "Gloss enumeration", in the spec's order. */
export const GLOSSES = ['en', 'es', 'ja', 'pt', 'ru', 'tr', 'zh'] as const
export type Gloss = (typeof GLOSSES)[number]

export type CatalogueWord = {
  wordId: number
  word: string
  level: Level
  meanings: Partial<Record<Gloss, string>>
  forms: string[]
}

export type SourceWord = { text: string; tStart: number; tEnd: number; lemma?: string }
export type SourceCue = {
  tStart: number
  tEnd: number
  text: string
  translations?: Record<string, string>
  words?: SourceWord[]
}

export type SourceClip = {
  videoId: string
  title: string
  language: string
  level: Level
  durationS: number
  channel: { id: string; name: string }
  cues: SourceCue[]
  clipId?: string
}

export type SourceCorpus = {
  /** by language */
  catalogues: Record<string, CatalogueWord[]>
  /** by language: the lines of forms/<language>.tsv */
  forms: Record<string, [form: string, headword: string][]>
  /** in path order */
  clips: SourceClip[]
}
