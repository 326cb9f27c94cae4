import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseFile } from '#corpus/import/formats/parse-file.ts'

/** A file of `fixtures/subtitle-cases.txt`, and the expected result. */
type Case = { title: string; language: string; text: string; expected: string }

function readCases(): Case[] {
  const file = readFileSync(new URL('../../../fixtures/subtitle-cases.txt', import.meta.url), 'utf8')
  const [, ...cases] = file.split(/^=== /m)
  return cases.map((each) => {
    const [, title, language = 'en', text, expected] =
      /^(.*?)(?: \((\w\w)\))?\n([^]*)\n--->\n([^]*)\n\n$/.exec(`${each.trimEnd()}\n\n`)!
    return { title: title!, language, text: text!, expected: expected! }
  })
}

/**
 * Formats a result: a line for each cue, with its words and their times on the line below, and
 * finally the format and the numbers of cues.
 */
function describeFile({ text, language }: Case): string {
  const tally = new CueTally()
  const lines: string[] = []
  try {
    const { cues, format, metadata } = parseFile(Buffer.from(text), language, tally)
    for (const cue of cues) {
      lines.push(`${cue.tStart} to ${cue.tEnd}: ${cue.text}`)
      const words = cue.words?.map((word) => `${word.text} ${word.tStart}–${word.tEnd}`)
      if (words) lines.push(`  ${words.join(', ')}`)
    }
    const about = Object.entries(metadata).map(([name, value]) => `${name} ${value}`)
    lines.push([format, ...about, `${tally.cues.out} of ${tally.cues.in} cues`].join(', '))
  } catch (error) {
    lines.push(`refused: ${(error as Error).message}`)
  }
  const { cues, repairs } = tally
  for (const [reason, count] of Object.entries({ ...cues.dropped, ...repairs }))
    lines.push(`${count} × ${reason}`)
  return lines.join('\n')
}

test.each(readCases())('$title', (each) => expect(describeFile(each)).toBe(each.expected))
