import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { commands } from '../../scripts/commands.ts'
import { runProgram } from '../../scripts/program.ts'
import { recorder } from '../harness/command.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const fixtures = join(import.meta.dirname, '../fixtures/subtitles')
const subtitles = ['bakery.en.vtt', 'market.SRT', 'refused/empty.srt'].map((name) => join(fixtures, name))
const clear = '\r\x1b[K'
let folder: string

beforeEach(() => void (folder = tempFolder()))

/** Returns what the import of three files writes to standard error, which may be a terminal. */
async function written(terminal: { isTTY?: boolean; columns?: number } = {}): Promise<string> {
  const args = ['import', ...subtitles, ...'--corpus c --language en --level A2'.split(' ')]
  const stderr = Object.assign(recorder(), terminal)
  await runProgram(args, { env: { INIT_CWD: folder }, stdout: recorder(), stderr, commands })
  return stderr.text()
}

/** Returns what a person sees in the end. */
function screen(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split(clear).at(-1))
    .join('\n')
}

test('without a terminal, the import prints one plain line for each file and a summary, and no progress', async () => {
  const said = await written()
  for (const part of ['\r', '\x1b', 'of 3 files']) expect(said).not.toContain(part)
  expect(said.match(/^(?:imported|rejected) {2}.*\n/gm)).toHaveLength(3)
  expect(said).toMatch(/\n2 imported, 0 skipped, 1 rejected; .*\n$/)
})

describe('the last line on a terminal', () => {
  test('shows the progress of the import, and is erased at the end', async () => {
    const shown = await written({ isTTY: true })
    for (const done of [1, 2, 3]) expect(shown).toContain(`${clear}${done} of 3 files`)
    rmSync(join(folder, 'c'), { recursive: true })
    expect(screen(shown)).toBe(await written())
  })

  test('is shortened on a narrow terminal', async () => {
    expect(await written({ isTTY: true, columns: 8 })).toContain(`${clear}2 of 3 ${clear}`)
  })

  test('is erased before the message that says why the import failed', async () => {
    mkdirSync(join(folder, 'c/clips/en/market_1.json'), { recursive: true })
    const shown = await written({ isTTY: true })
    expect(shown).toContain(`${clear}1 of 3 files`)
    expect(screen(shown)).toMatch(/^imported .*\nCannot write the corpus .*\n$/)
  })
})
