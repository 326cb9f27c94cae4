import { plainText } from './clean-text.ts'
import { secondsOf, untimed, type ParsedFile } from './cue.ts'

/** Parses Whisper's TSV: a header `start end text`, then milliseconds, milliseconds and text. */
export function parseTsv(text: string): ParsedFile {
  const rows = text.split(/\r\n|\r|\n/).slice(1)
  const cues = rows
    .filter((row) => row.trim() !== '')
    .map((row) => {
      const [start = '', end = '', ...rest] = row.split('\t')
      const said = plainText(rest.join(' '))
      if (!/^\d{1,12}$/.test(start) || !/^\d{1,12}$/.test(end)) return untimed(said || plainText(row))
      return { tStart: secondsOf(Number(start), 1000), tEnd: secondsOf(Number(end), 1000), text: said }
    })
  return { cues }
}
