/** Checks rules that compiler and linter do not know: `node scripts/check-habits.ts [file…]`. */
import { readFileSync } from 'node:fs'
import fastGlob from 'fast-glob'
import packageInfo from '../package.json' with { type: 'json' }

/** A rule for files at some paths: the text that they must not contain, and why. */
interface Rule {
  files: RegExp
  except?: RegExp
  violation: RegExp
  message: string
}

const source = /^(src|scripts)\/.*\.(ts|mjs|astro)$/
const folders = Object.keys(packageInfo.imports).map((name) => name.slice(1, -'/*'.length))

const rules: readonly Rule[] = [
  {
    // Longer comments are tiring to read; an address cannot be broken.
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro)$/,
    violation: /^(?=[ \t]*(?:\/\/|\/\*|\*))(?!.*https?:\/\/\S{60}).{101,}$/gm,
    message: 'a comment has at most 100 columns',
  },
  {
    files: source,
    // The client runs in other people's programs, which have no Clock.
    except: /^src\/kit\/clock\.ts$|^src\/(proxy|client)\/|^scripts\/bench\//,
    violation: /\bDate\.now\b|\bnew Date\(\)|Temporal\.Now\b/g,
    message: 'the time comes from a Clock (src/kit/clock.ts)',
  },
  {
    files: source,
    violation: new RegExp(`\\b(from|import)\\s*\\(?\\s*['"](\\.\\./)+(src/)?(${folders.join('|')})/`, 'g'),
    message: 'another folder is imported as #folder/file.ts',
  },
  {
    files: source,
    violation: /\b\w*(Error|Failure|Refused|Rejection)\(\s*(['"`]).*[a-z]\.\2\)/g,
    message: 'the message of an error has no full stop',
  },
  {
    // Phrases that a native writer would not use here.
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro|mdx?)$/,
    except: /^scripts\/check-habits\.ts$|^test\/scripts\/check-/,
    violation:
      /\b(mend(s|ed|ing)?|anew|parted by|what is known of|is told|are told|(goes?|gone|going) on from)\b/gi,
    message: 'reads as a translation',
  },
  {
    // Every other folder uses the public functions of these two.
    files: /^src\/(kit|language)\//,
    violation: /(?<!\*\/\n)^export (?:async )?(?:function\*?|class) \w+/gm,
    message: 'it has no doc comment',
  },
  {
    files: /(^|\/)(utils?|helpers?|common|misc|index)\.(ts|mjs)$/,
    violation: /^/g,
    message: 'a file is named after its one concept',
  },
]

/** Returns the faults of a file, named by its path from the root, as lines for the terminal. */
export function habitFaults(file: string, text: string): string[] {
  const applicableRules = rules.filter(({ files, except }) => files.test(file) && !except?.test(file))
  return applicableRules.flatMap(({ violation, message }) =>
    [...text.matchAll(violation)].map(({ 0: excerpt, index }) => {
      const line = text.slice(0, index).split('\n').length
      return `${file}:${line}: ${message}: ${excerpt.trim()}`
    }),
  )
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  const files =
    args.length > 0
      ? args
      : await fastGlob(['{src,scripts,test}/**/*.{ts,mjs,astro,md,mdx}', '!src/client/dist'], { dot: true })
  const faults = files.flatMap((file) => habitFaults(file, readFileSync(file, 'utf8')))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
