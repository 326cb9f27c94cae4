/**
 * Reads foreign files in its own thread. Each subject returns a short description of what it read
 * or of the reason for a refusal, and throws on any other error.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parsePlans } from '#contract/plans.ts'
import type { Problem } from '#corpus/problem.ts'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseFile } from '#corpus/import/formats/parse-file.ts'
import { Rejection, Skip } from '#corpus/import/rejection.ts'
import { parseMetadata } from '#corpus/import/video/metadata.ts'
import { parseMetadataTable } from '#corpus/import/video/metadata-table.ts'
import { importCatalogue } from '#corpus/import/words/import-catalogue.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { BuildStopped } from '#nightly/build-stopped.ts'
import { importLedger } from '#tree/ledger-lines.ts'
import { Refused } from '#tree/refused.ts'
import { State } from '#tree/state.ts'
import { buildTree } from '../nightly/small-corpus.ts'
import { serveSubjects } from './serve-subjects.ts'

type Files = Record<string, string | Uint8Array>

/** Returns the reason in an error of these kinds. @throws any other error */
function reasonOf(error: unknown, ...kinds: (new (...args: never[]) => Error)[]): string {
  const isExpected = kinds.some((kind) => error instanceof kind)
  const { message } = error as Error
  if (isExpected && message.length > 5) return message
  throw error
}

/** @throws {Error} a problem does not say what is wrong, or in which file */
function checkProblems(problems: readonly Problem[]): void {
  for (const problem of problems)
    if (!problem.file || problem.reason.length < 5)
      throw new Error(`the problem has no file or no reason: ${JSON.stringify(problem)}`)
}

async function withFolder<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-fuzz-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const sourceSubjects = {
  subtitles(bytes: Uint8Array, language: string) {
    try {
      return `${parseFile(bytes, language, new CueTally()).cues.length} cues`
    } catch (error) {
      return reasonOf(error, Rejection, Skip)
    }
  },

  metadata(json: string) {
    try {
      return JSON.stringify(parseMetadata(JSON.parse(json)))
    } catch (error) {
      return reasonOf(error, Rejection)
    }
  },

  metadataTable(text: string) {
    try {
      return `${parseMetadataTable(text).length} rows`
    } catch (error) {
      return reasonOf(error, Rejection)
    }
  },

  catalogue: (files: Files) =>
    withFolder(files, async (folder) => {
      const { catalogue, problems, warnings } = await readCatalogue(folder)
      checkProblems([...problems, ...warnings])
      return `${catalogue.size} languages`
    }),

  wordList: (list: Uint8Array, language: string, files: Files) =>
    withFolder({ list, ...files }, async (corpus) => {
      const { catalogue } = await readCatalogue(corpus)
      const options = { corpus, language, overwrite: true }
      try {
        const report = await importCatalogue(join(corpus, 'list'), 'list', catalogue, options)
        checkProblems(report.problems)
        // The output can be read.
        const { problems } = await readCatalogue(corpus)
        if (problems.length > 0) throw new Error(`the catalogue is broken: ${JSON.stringify(problems)}`)
        return `${report.added} words`
      } catch (error) {
        return reasonOf(error, Rejection)
      }
    }),

  build: (files: Files) =>
    withFolder(files, async (folder) => {
      try {
        const options = { maxShrink: 1, threads: 0 }
        const { clips, rejected } = await buildTree(folder, join(folder, 'dist'), options)
        checkProblems(rejected)
        return `${clips} clips`
      } catch (error) {
        if (error instanceof BuildStopped) checkProblems(error.problems)
        return reasonOf(error, BuildStopped)
      }
    }),

  ledger: (lines: string[]) =>
    withFolder({}, async (folder) => {
      const state = State.open(folder)
      try {
        return `${await importLedger(folder, state, lines)} clips`
      } catch (error) {
        return reasonOf(error, SyntaxError, Refused)
      } finally {
        state.close()
      }
    }),

  plans(text: string) {
    try {
      return `${parsePlans(text, 'plans.json').length} plans`
    } catch (error) {
      return reasonOf(error, SyntaxError)
    }
  },
}

serveSubjects(sourceSubjects)
