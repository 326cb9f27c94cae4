/**
 * `npm run bench:analysers`: what the analysers cost. For each language with judged lines
 * (test/fixtures/judged), a seeded corpus of 60-s clips is made of these lines and built twice from
 * nothing, without and with the analyser, each in a process of its own. Arguments: how many clips
 * (10,000 unless given), and the languages (all unless given).
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '#kit/seeded-random.ts'
import type { Built } from './build-tree.ts'

const cuesAClip = 20
const cueS = 3
const clipsAFile = 1_000

const fixtures = fileURLToPath(new URL('../../test/fixtures/judged', import.meta.url))
const [count = '10000', ...languages] = process.argv.slice(2)
const clipCount = Number(count)
const folder = mkdtempSync(join(tmpdir(), 'bench-analysers-'))

try {
  for (const language of languages.length > 0 ? languages : judgedLanguages()) compare(language)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function judgedLanguages(): string[] {
  return readdirSync(fixtures)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, 2))
}

function compare(language: string): void {
  const corpus = join(folder, `corpus-${language}`)
  writeCorpus(corpus, language)
  const without = build(corpus, language, 'without-analysers')
  const used = build(corpus, language, 'with-analysers')
  const addedMs = ((used.buildCpuS - without.buildCpuS) / clipCount) * 1000
  process.stdout.write(
    [
      `${language}  ${clipCount} clips`,
      `  without  ${describe(without)}`,
      `  with     ${describe(used)}`,
      `  with ÷ without: time ${ratio('buildS')}, CPU ${ratio('buildCpuS')}, memory ${ratio('buildMb')}; ${addedMs.toFixed(2)} ms of CPU a clip`,
      '',
    ].join('\n'),
  )

  function ratio(figure: keyof Built): string {
    return (used[figure] / without[figure]).toFixed(2)
  }
}

function describe({ buildS, buildCpuS, buildMb }: Built): string {
  return `${buildS.toFixed(1)} s, ${buildCpuS.toFixed(1)} s of CPU, ${buildMb.toFixed(0)} MB`
}

function build(corpus: string, language: string, mode: string): Built {
  const tree = join(folder, `tree-${language}-${mode}`)
  const script = fileURLToPath(new URL('build-tree.ts', import.meta.url))
  const output = execFileSync(process.execPath, [script, corpus, tree, mode], { encoding: 'utf8' })
  rmSync(tree, { recursive: true, force: true })
  return JSON.parse(output.trimEnd().split('\n').at(-1)!) as Built
}

function writeCorpus(corpus: string, language: string): void {
  const random = seededRandom(1)
  mkdirSync(join(corpus, 'catalogue'), { recursive: true })
  mkdirSync(join(corpus, 'clips'))
  const words = linesOf(`${language}-words.tsv`).map((line, i) => {
    const [word, ...forms] = line.split('\t')
    return JSON.stringify({ wordId: i + 1, word, level: 'A1', meanings: { en: `what ${word} means` }, forms })
  })
  writeFileSync(join(corpus, 'catalogue', `${language}.jsonl`), `${words.join('\n')}\n`)
  const texts = linesOf(`${language}.jsonl`).map((line) => (JSON.parse(line) as { text: string }).text)
  for (let from = 0; from < clipCount; from += clipsAFile) {
    const ids = Array.from({ length: Math.min(clipsAFile, clipCount - from) }, (_, i) => from + i)
    const clips = ids.map((id) => JSON.stringify(clipOf(id, language, texts, random)))
    writeFileSync(join(corpus, 'clips', `${from}.jsonl`), `${clips.join('\n')}\n`)
  }
}

function linesOf(name: string): string[] {
  return readFileSync(join(fixtures, name), 'utf8').trimEnd().split('\n')
}

function clipOf(id: number, language: string, texts: readonly string[], random: () => number) {
  const cues = Array.from({ length: cuesAClip }, (_, i) => ({
    tStart: i * cueS,
    tEnd: (i + 1) * cueS,
    text: texts[Math.floor(random() * texts.length)]!,
  }))
  return {
    videoId: `v${id.toString(36).padStart(10, '0')}`,
    title: `Clip ${id}`,
    language,
    level: 'B1',
    durationS: cuesAClip * cueS,
    channel: { id: 'UC1', name: 'Channel' },
    cues,
  }
}
