/**
 * Checks the habits of the project that neither compiler nor linter knows, in the files named, else
 * in all: `node scripts/check-habits.ts [file…]`.
 */
import { readFileSync } from 'node:fs'
import fastGlob from 'fast-glob'
import packageInfo from '../package.json' with { type: 'json' }

/** A habit: which files keep it, and what of a line breaks it. */
interface Habit {
  files: RegExp
  /** Files that need not keep it. */
  except?: RegExp
  /** What is wrong with a line, if anything. */
  fault(line: string): string | false
}

/** Comments that are wider are tiring to read. */
const commentColumns = 100

const source = /^(src|scripts)\/.*\.(ts|mjs|astro)$/
const code = /^(src|scripts|test)\/.*\.(ts|mjs|astro)$/

/** Phrases that a native writer would not use here. */
const translated =
  /\b(mend(s|ed|ing)?|anew|parted by|what is known of|is told|are told|(goes?|gone|going) on from)\b/i

const rooms = Object.keys(packageInfo.imports).map((name) => name.slice(1, -'/*'.length))
const otherRoom = new RegExp(`\\b(from|import)\\s*\\(?\\s*['"](\\.\\./)+(src/)?(${rooms.join('|')})/`)

const habits: readonly Habit[] = [
  {
    files: code,
    fault: (line) =>
      /^\s*(\/\/|\/\*|\*)/.test(line) &&
      line.length > commentColumns &&
      !/https?:\/\/\S{60}/.test(line) &&
      `a comment has at most ${commentColumns} columns, this one has ${line.length}`,
  },
  {
    files: source,
    except: /^src\/kit\/clock\.ts$|^src\/proxy\/|^scripts\/bench\//,
    fault: (line) =>
      /\bDate\.now\b|\bnew Date\(\)|Temporal\.Now\b/.test(line) &&
      'the time comes from a Clock (src/kit/clock.ts)',
  },
  {
    files: source,
    fault: (line) => otherRoom.test(line) && 'another room is imported as #room/file.ts',
  },
  {
    files: source,
    fault: (line) =>
      /\b\w*(Error|Failure|Refused|Rejection)\(\s*(['"`]).*[a-z]\.\2\)/.test(line) &&
      'the message of an error has no full stop',
  },
  {
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro|mdx?)$/,
    except: /^scripts\/check-habits\.ts$|^test\/scripts\/check-/,
    fault: (line) => translated.test(line) && `"${translated.exec(line)![0]}" reads as a translation`,
  },
]

const forbiddenNames = /(^|\/)(utils?|helpers?|common|misc|index)\.(ts|mjs)$/

/** Every fault in a file, given by its path from the root of the project. */
export function habitFaults(file: string, text: string): string[] {
  const kept = habits.filter(({ files, except }) => files.test(file) && !except?.test(file))
  const lines = text.split('\n')
  const faults = lines.flatMap((line, i) => {
    const found = kept.map(({ fault }) => fault(line)).filter((fault) => fault !== false)
    // Everybody builds on the public functions of these two rooms.
    const name = /^export (?:async )?(?:function\*?|class) (\w+)/.exec(line)?.[1]
    if (/^src\/(kit|language)\//.test(file) && name !== undefined && !lines[i - 1]?.endsWith('*/'))
      found.push(`${name} has no doc comment`)
    return found.map((fault) => `${file}:${i + 1}: ${fault}`)
  })
  return forbiddenNames.test(file) ? [`${file}: a file is named after its one concept`, ...faults] : faults
}

if (import.meta.main) {
  const named = process.argv.slice(2)
  const files =
    named.length > 0 ? named : await fastGlob('{src,scripts,test}/**/*.{ts,mjs,astro,md,mdx}', { dot: true })
  const faults = files.flatMap((file) => habitFaults(file, readFileSync(file, 'utf8')))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
