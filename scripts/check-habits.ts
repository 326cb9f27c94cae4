/**
 * Checks the habits of the project that neither compiler nor linter knows, in the files named, else
 * in all: `node scripts/check-habits.ts [file…]`.
 */
import { readFileSync } from 'node:fs'
import fastGlob from 'fast-glob'
import packageInfo from '../package.json' with { type: 'json' }

/** A habit: which files keep it, what breaks it, and what is said of that. */
interface Habit {
  files: RegExp
  /** Files that need not keep it. */
  except?: RegExp
  broken: RegExp
  message: string
}

const source = /^(src|scripts)\/.*\.(ts|mjs|astro)$/
const rooms = Object.keys(packageInfo.imports).map((name) => name.slice(1, -'/*'.length))

const habits: readonly Habit[] = [
  {
    // Wider ones are tiring to read; an address cannot be broken.
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro)$/,
    broken: /^(?=[ \t]*(?:\/\/|\/\*|\*))(?!.*https?:\/\/\S{60}).{101,}$/gm,
    message: 'a comment has at most 100 columns',
  },
  {
    files: source,
    except: /^src\/kit\/clock\.ts$|^src\/proxy\/|^scripts\/bench\//,
    broken: /\bDate\.now\b|\bnew Date\(\)|Temporal\.Now\b/g,
    message: 'the time comes from a Clock (src/kit/clock.ts)',
  },
  {
    files: source,
    broken: new RegExp(`\\b(from|import)\\s*\\(?\\s*['"](\\.\\./)+(src/)?(${rooms.join('|')})/`, 'g'),
    message: 'another room is imported as #room/file.ts',
  },
  {
    files: source,
    broken: /\b\w*(Error|Failure|Refused|Rejection)\(\s*(['"`]).*[a-z]\.\2\)/g,
    message: 'the message of an error has no full stop',
  },
  {
    // Phrases that a native writer would not use here.
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro|mdx?)$/,
    except: /^scripts\/check-habits\.ts$|^test\/scripts\/check-/,
    broken:
      /\b(mend(s|ed|ing)?|anew|parted by|what is known of|is told|are told|(goes?|gone|going) on from)\b/gi,
    message: 'reads as a translation',
  },
  {
    // Everybody builds on the public functions of these two rooms.
    files: /^src\/(kit|language)\//,
    broken: /(?<!\*\/\n)^export (?:async )?(?:function\*?|class) \w+/gm,
    message: 'it has no doc comment',
  },
  {
    files: /(^|\/)(utils?|helpers?|common|misc|index)\.(ts|mjs)$/,
    broken: /^/g,
    message: 'a file is named after its one concept',
  },
]

/** Every fault in a file, given by its path from the root of the project. */
export function habitFaults(file: string, text: string): string[] {
  const kept = habits.filter(({ files, except }) => files.test(file) && !except?.test(file))
  return kept.flatMap(({ broken, message }) =>
    [...text.matchAll(broken)].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line}: ${message}: ${found.trim()}`
    }),
  )
}

if (import.meta.main) {
  const named = process.argv.slice(2)
  const files =
    named.length > 0 ? named : await fastGlob('{src,scripts,test}/**/*.{ts,mjs,astro,md,mdx}', { dot: true })
  const faults = files.flatMap((file) => habitFaults(file, readFileSync(file, 'utf8')))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
