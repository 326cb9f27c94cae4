/**
 * `npm run bench:analysers`: what the analysers cost. For each language with judged lines
 * (test/fixtures/judged), a seeded corpus of 60-s clips is made of these lines and built twice from
 * nothing, without and with the analyser, each in a process of its own. Arguments: how many clips
 * (10,000 unless given), and the languages (all unless given).
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '#kit/seeded-random.ts'
import type { Built } from './build-tree.ts'
import { clipRecord, writeLines } from './make-corpus.ts'
import { pathOf, print, runBench, runScript } from './run.ts'

const cuesAClip = 20
const cueS = 3
/** A thread takes a file at a time. */
const clipsAFile = 1_000

const fixtures = pathOf('../../test/fixtures/judged')
const [count = '10000', ...languages] = process.argv.slice(2)
const clipCount = Number(count)

await runBench((folder) => {
  for (const language of languages.length > 0 ? languages : judgedLanguages()) compare(folder, language)
})

function judgedLanguages(): string[] {
  return readdirSync(fixtures)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, 2))
}

function compare(folder: string, language: string): void {
  const corpus = join(folder, `corpus-${language}`)
  writeCorpus(corpus, language)
  const build = (mode: string): Built => {
    const tree = join(folder, `tree-${language}-${mode}`)
    const built = runScript<Built>('build-tree.ts', corpus, tree, mode)
    rmSync(tree, { recursive: true, force: true })
    return built
  }
  const without = build('without-analysers')
  const used = build('with-analysers')
  const addedMs = ((used.buildCpuS - without.buildCpuS) / clipCount) * 1000
  const ratio = (figure: keyof Built) => (used[figure] / without[figure]).toFixed(2)
  print(`${language}  ${clipCount} clips`)
  print(`  without  ${describe(without)}`)
  print(`  with     ${describe(used)}`)
  print(
    `  with ÷ without: time ${ratio('buildS')}, CPU ${ratio('buildCpuS')}, memory ${ratio('buildMb')}; ${addedMs.toFixed(2)} ms of CPU a clip`,
  )
}

function describe({ buildS, buildCpuS, buildMb }: Built): string {
  return `${buildS.toFixed(1)} s, ${buildCpuS.toFixed(1)} s of CPU, ${buildMb.toFixed(0)} MB`
}

function writeCorpus(corpus: string, language: string): void {
  const random = seededRandom(1)
  const words = linesOf(`${language}-words.tsv`)
  writeLines(join(corpus, 'catalogue', `${language}.jsonl`), words.length, (i) => {
    const [word, ...forms] = words[i]!.split('\t')
    return { wordId: i + 1, word, level: 'A1', meanings: { en: `what ${word} means` }, forms }
  })
  const texts = linesOf(`${language}.jsonl`).map((line) => (JSON.parse(line) as { text: string }).text)
  const clipOf = (id: number) => {
    const cues = Array.from({ length: cuesAClip }, (_, i) => ({
      tStart: i * cueS,
      tEnd: (i + 1) * cueS,
      text: texts[Math.floor(random() * texts.length)]!,
    }))
    return { ...clipRecord(id), language, level: 'B1', durationS: cuesAClip * cueS, cues }
  }
  for (let from = 0; from < clipCount; from += clipsAFile) {
    const inFile = Math.min(clipsAFile, clipCount - from)
    writeLines(join(corpus, 'clips', `${from}.jsonl`), inFile, (i) => clipOf(from + i))
  }
}

function linesOf(name: string): string[] {
  return readFileSync(join(fixtures, name), 'utf8').trimEnd().split('\n')
}
