import { findFiles } from '#importing/find-files.ts'
import { importFiles, type ImportReport } from '#importing/import-files.ts'
import type { Metadata } from '#importing/metadata.ts'
import { languageSchema, videoIdSchema } from '#contract/clip.ts'
import { levelSchema } from '#contract/levels.ts'
import { formatProblem } from '#corpus/problem.ts'
import { Failure, UsageError, wholeNumber, type Command, type Input } from '../command-line.ts'

/** The options that describe one video: an error with several subtitle files. */
const ofOneVideo = ['video-id', 'title', 'channel-id', 'channel-name', 'duration'] as const

export const importCommand: Command = {
  name: 'import',
  positionals: '<path>…',
  summary:
    'Turn subtitle files (SRT, WebVTT, word timings) and their metadata into clips of a source corpus.',
  options: {
    corpus: {
      value: 'DIR',
      description: 'folder of the source corpus; made where it is missing',
      required: true,
    },
    language: { value: 'CODE', description: 'the language spoken in the clips, two letters', required: true },
    level: { value: 'LEVEL', description: 'level of the clips, A1 to C2; goes before a level in a sidecar' },
    overwrite: { description: 'replace clips of the corpus that differ' },
    'video-id': { value: 'ID', description: 'video id (with one subtitle file, as the four below)' },
    title: { value: 'TEXT', description: 'title of the video' },
    'channel-id': { value: 'ID', description: 'id of its channel' },
    'channel-name': { value: 'TEXT', description: 'name of its channel' },
    duration: { value: 'SECONDS', description: 'its length in whole seconds; else until the last cue ends' },
  },
  run: runImport,
}

async function runImport(input: Input): Promise<number> {
  const { values, positionals, switches } = input
  if (positionals.length === 0) throw new UsageError('missing <path>: name subtitle files or folders')
  const language = checked('language', languageSchema, values.language!)
  const given = givenMetadata(values)
  const files = await findFiles(positionals.map((typed) => ({ typed, absolute: input.path(typed) })))
  const single = ofOneVideo.filter((name) => values[name] !== undefined)
  if (files.length > 1 && single.length > 0) {
    throw new UsageError(`--${single.join(', --')} describe one video, got ${files.length} subtitle files`)
  }
  const corpus = input.path(values.corpus!)
  const report = await importFiles(files, {
    corpus,
    language,
    given,
    overwrite: switches.overwrite!,
    onProblem: (problem) => input.say(formatProblem(problem)),
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === undefined
      ? error
      : new Failure(`cannot write the corpus ${corpus}: ${error.message}`)
  })
  if (files.length === 0) input.say(`no subtitle file in ${positionals.join(', ')}`)
  input.say(summary(report))
  const { imported, unchanged, rejected, problems } = report
  if (switches.json) input.print({ imported, unchanged, rejected, problems }, '')
  return imported + unchanged > 0 ? 0 : 1
}

function givenMetadata(values: Input['values']): Metadata {
  const { level, title, duration } = values
  return {
    videoId: values['video-id'] && checked('video-id', videoIdSchema, values['video-id']),
    title,
    channelId: values['channel-id'],
    channelName: values['channel-name'],
    level: level && checked('level', levelSchema, level),
    durationS: duration === undefined ? undefined : wholeNumber('duration', duration, 1, 1e6),
  }
}

function checked<T>(
  name: string,
  schema: { safeParse(value: unknown): { data?: T; error?: { issues: { message: string }[] } | undefined } },
  value: string,
): T {
  const parsed = schema.safeParse(value)
  if (parsed.error) throw new UsageError(`--${name} ${parsed.error.issues[0]!.message}, got "${value}"`)
  return parsed.data!
}

function summary({ imported, unchanged, rejected, emptyCues }: ImportReport): string {
  const dropped = emptyCues > 0 ? `; ${emptyCues} empty ${emptyCues === 1 ? 'cue' : 'cues'} left out` : ''
  return `${imported} imported, ${unchanged} unchanged, ${rejected} rejected${dropped}`
}
