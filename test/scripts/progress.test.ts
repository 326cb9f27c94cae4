import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { programPath } from '../harness/command.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const fixtures = join(import.meta.dirname, '../fixtures/subtitles')
const subtitles = ['bakery.en.vtt', 'market.SRT', 'refused/empty.srt'].map((name) => join(fixtures, name))
const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const hasTerminal = script.includes('util-linux')
const clear = '\r\x1b[K'
let folder: string

beforeEach(() => void (folder = tempFolder()))

function command(): string[] {
  return [
    process.execPath,
    programPath,
    'import',
    ...subtitles,
    '--corpus',
    'c',
    '--language',
    'en',
    '--level',
    'A2',
  ]
}

function environment() {
  return { PATH: process.env.PATH, INIT_CWD: folder }
}

function throughPipe(): string {
  const [program, ...args] = command()
  return spawnSync(program!, args, { encoding: 'utf8', env: environment() }).stderr
}

/**
 * What the command writes to a pseudo-terminal; `columns`: how wide that is, 0 where it does not
 * say.
 */
function onTerminal(columns = 0): string {
  const line = command().map((part) => `"${part}"`)
  const { stdout } = spawnSync(
    'script',
    ['-qec', [`stty cols ${columns};`, ...line].join(' '), '/dev/null'],
    { encoding: 'utf8', env: environment(), stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return stdout.replaceAll('\r\n', '\n')
}

/** What a person sees in the end. */
function screen(written: string): string {
  return written
    .split('\n')
    .map((line) => line.split(clear).at(-1))
    .join('\n')
}

test('through a pipe the import says one plain line a file and a summary, and no progress', () => {
  const said = throughPipe()
  for (const part of ['\r', '\x1b', 'of 3 files']) expect(said).not.toContain(part)
  expect(said.match(/^(?:imported|rejected) {2}.*\n/gm)).toHaveLength(3)
  expect(said).toMatch(/\n2 imported, 0 skipped, 1 rejected; .*\n$/)
})

describe.skipIf(!hasTerminal)(
  `on a terminal${hasTerminal ? '' : ' (skipped: no `script` of util-linux to make one)'}`,
  () => {
    test('the foot tells how far the import is, and is gone in the end', () => {
      const written = onTerminal()
      for (const done of [1, 2, 3]) expect(written).toContain(`${clear}${done} of 3 files`)
      rmSync(join(folder, 'c'), { recursive: true })
      expect(screen(written)).toBe(throughPipe())
    })

    test('the foot keeps to one line of a narrow terminal', () => {
      expect(onTerminal(8)).toContain(`${clear}2 of 3 ${clear}`)
    })

    test('the foot is gone before the line that says why the import failed', () => {
      mkdirSync(join(folder, 'c/clips/en/market_1.json'), { recursive: true })
      const written = onTerminal()
      expect(written).toContain(`${clear}1 of 3 files`)
      expect(screen(written)).toMatch(/^imported .*\ncannot write the corpus .*\n$/)
    })
  },
)
