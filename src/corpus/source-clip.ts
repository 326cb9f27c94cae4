import { v5 as uuidV5 } from 'uuid'
import { z } from 'zod'
import { languageSchema, maxClipDurationS, uuidPattern, videoIdSchema } from '#contract/clip.ts'
import { levelSchema } from '#contract/levels.ts'
import { parseRecord, type Parsed } from './problem.ts'
import { soundString, textFault } from './text-bounds.ts'

const timeSchema = z.number({ error: 'must be a number of seconds' })
const textSchema = soundString()
const namedSchema = textSchema.trim().refine((text) => text !== '', 'must not be empty')

const sourceWordSchema = z.object({
  text: textSchema,
  tStart: timeSchema,
  tEnd: timeSchema,
  lemma: textSchema.optional(),
})

/** The maximum length of the translation of a cue, in characters. */
export const maxTranslationCharacters = 500

const translationSchema = soundString((text) =>
  text.trim() === '' ? 'must not be empty' : textFault(text, maxTranslationCharacters),
)

const sourceCueSchema = z.object({
  tStart: timeSchema,
  tEnd: timeSchema,
  text: textSchema,
  translations: z
    .record(languageSchema, translationSchema, {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'must have two-letter language codes (a-z) as keys'
          : 'must be an object with a text for each language',
    })
    .optional(),
  words: z.array(sourceWordSchema).optional(),
})

const fieldsSchema = z.object({
  videoId: videoIdSchema,
  title: namedSchema,
  language: languageSchema,
  level: levelSchema,
  durationS: z
    .int({ error: 'must be a whole number of seconds' })
    .min(1, 'must be at least 1 s')
    .max(maxClipDurationS, {
      error: (issue) => `is ${String(issue.input)} s, but a clip can last at most ${maxClipDurationS} s`,
    }),
  channel: z.object({ id: namedSchema, name: namedSchema }),
  cues: z.array(sourceCueSchema),
  clipId: z
    .string()
    .regex(new RegExp(uuidPattern, 'i'), 'must be a UUID')
    .transform((id) => id.toLowerCase())
    .optional(),
})

/**
 * A clip of the source corpus (contract 2). Checks the types and ranges of its fields, then its
 * size and its times. Unknown fields are dropped.
 */
export const sourceClipSchema = fieldsSchema.check(({ value, issues }) => {
  const fault = faultOfSize(value) ?? faultOfTimes(value) ?? faultOfTranslations(value)
  if (fault) issues.push({ code: 'custom', input: value, ...fault })
})

export type SourceClip = z.infer<typeof fieldsSchema>
export type SourceCue = z.infer<typeof sourceCueSchema>
export type SourceWord = z.infer<typeof sourceWordSchema>

/** Parses and checks the text of one source clip. */
export function parseClip(text: string): Parsed<SourceClip> {
  return parseRecord(sourceClipSchema, text)
}

/**
 * Returns the id of a clip: its own, or the UUIDv5 of its watch address in the URL namespace (RFC
 * 9562 section 5.5; contract 2).
 */
export function clipIdOf(clip: Pick<SourceClip, 'clipId' | 'videoId'>): string {
  return clip.clipId ?? uuidV5(`https://www.youtube.com/watch?v=${clip.videoId}`, uuidV5.URL)
}

/**
 * Returns the video that an invalid text most likely describes: its first `"videoId"`. It
 * distinguishes an invalid clip from one that was removed.
 */
export function guessVideo(text: string): { videoId?: string } {
  const videoId = /"videoId"\s*:\s*"([A-Za-z0-9_-]{1,64})"/.exec(text)?.[1]
  return videoId === undefined ? {} : { videoId }
}

/** The maximum number of timed words in a cue. */
const maxCueWords = 5_000
/**
 * The maximum length of all cues of a clip, and of all their timed words, in characters: eight
 * times what anyone says in 180 s.
 */
const maxClipCharacters = 30_000

/** How far a cue or a word may extend past the clip, in seconds. */
const slackS = 1

/** Returns the first fault in the numbers of words and characters of a clip, or null. */
function faultOfSize({ cues }: SourceClip) {
  let characters = 0
  let wordCharacters = 0
  for (const [i, { text, words = [] }] of cues.entries()) {
    if (words.length > maxCueWords)
      return fault(['cues', i, 'words'], `has ${words.length} words, but at most ${maxCueWords} are allowed`)
    characters += text.length
    for (const { text: word, lemma = '' } of words) wordCharacters += Math.max(word.length, lemma.length)
    if (Math.max(characters, wordCharacters) > maxClipCharacters)
      return fault(['cues', i], `makes the text of the clip longer than ${maxClipCharacters} characters`)
  }
  return null
}

/** Returns the first fault in the times of a clip, or null. */
function faultOfTimes({ cues, durationS }: SourceClip) {
  for (const [i, cue] of cues.entries()) {
    const before = cues[i - 1]
    const inCue = faultOfSpan(cue, ['cues', i])
    if (inCue) return inCue
    if (before && cue.tStart < before.tStart)
      return fault(
        ['cues', i, 'tStart'],
        `is ${cue.tStart} s, before the start of the previous cue (${before.tStart} s)`,
      )
    const late = faultOfEnd(cue, durationS, ['cues', i])
    if (late) return late
    for (const [w, word] of (cue.words ?? []).entries()) {
      const path = ['cues', i, 'words', w]
      const inWord = faultOfSpan(word, path) ?? faultOfEnd(word, durationS, path)
      if (inWord) return inWord
    }
  }
  return null
}

/** Returns the fault of a translation into the spoken language, or null. */
function faultOfTranslations({ cues, language }: SourceClip) {
  const cue = cues.findIndex(({ translations = {} }) => language in translations)
  const path = ['cues', cue, 'translations', language]
  return cue < 0 ? null : fault(path, 'must be omitted, because it is the language of the clip')
}

function faultOfSpan({ tStart, tEnd }: { tStart: number; tEnd: number }, path: FieldPath) {
  if (tStart < 0) return fault([...path, 'tStart'], 'must not be negative')
  if (tEnd < tStart) return fault([...path, 'tEnd'], `is ${tEnd} s, before tStart (${tStart} s)`)
  return null
}

function faultOfEnd({ tEnd }: { tEnd: number }, durationS: number, path: FieldPath) {
  if (tEnd <= durationS + slackS) return null
  const end = `the end of the clip (${durationS} s)`
  return fault([...path, 'tEnd'], `is ${tEnd} s, more than ${slackS} s after ${end}`)
}

type FieldPath = (string | number)[]

function fault(path: FieldPath, message: string) {
  return { path, message }
}
