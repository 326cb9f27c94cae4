import { readFileSync } from 'node:fs'
import { CueTally } from '#importing/cue-tally.ts'
import { parseFile } from '#importing/formats/parse-file.ts'
import { primaryLanguage } from '#importing/languages.ts'
import type { SourceClip } from '../model/source.ts'
import { readIndex } from './real-transcripts.ts'

const clipS = 60

/**
 * At most `most` clips of a minute, cut out of the SRT and WebVTT files of a language in the test
 * data. The files of every folder come in turn.
 */
export function realClips(dataFolder: string, language: string, most: number): SourceClip[] {
  const clips: SourceClip[] = []
  for (const [number, { absolute, format, language: spoken }] of readIndex(dataFolder).entries()) {
    if (primaryLanguage(spoken) !== language || !['srt', 'vtt'].includes(format)) continue
    clips.push(...cut(cuesOf(absolute, language), language, number))
    if (clips.length >= most) break
  }
  return clips.slice(0, most)
}

function cuesOf(path: string, language: string): SourceClip['cues'] {
  try {
    return parseFile(readFileSync(path), language, new CueTally()).cues
  } catch {
    return [] // One of those that an import skips or rejects.
  }
}

function cut(cues: SourceClip['cues'], language: string, number: number): SourceClip[] {
  const pieces = Map.groupBy(cues, ({ tStart }) => Math.floor(tStart / clipS))
  return [...pieces].map(([piece, inPiece]) => ({
    videoId: `real-${number}-${piece}`,
    title: `Piece ${piece} of ${number}`,
    language,
    level: 'B1',
    durationS: 2 * clipS,
    channel: { id: 'real', name: 'Real' },
    cues: inPiece.map(({ tStart, tEnd, text }) => ({
      tStart: tStart - piece * clipS,
      tEnd: Math.min(tEnd - piece * clipS, 2 * clipS),
      text,
    })),
  }))
}
