/** Checks the habits of the project that neither compiler nor linter knows. */

/** A habit: which files keep it, and what of a line breaks it. */
interface Habit {
  files: RegExp
  /** Files that need not keep it. */
  except?: RegExp
  /** What is wrong with a line, if anything. */
  fault(line: string, file: string): string | null
}

/** Comments that are wider are tiring to read. */
const commentColumns = 100

const source = /^(src|scripts)\/.*\.(ts|mjs|astro)$/

const habits: readonly Habit[] = [
  {
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro)$/,
    fault: (line) =>
      /^\s*(\/\/|\/\*|\*)/.test(line) && line.length > commentColumns && !/https?:\/\/\S{60}/.test(line)
        ? `a comment has at most ${commentColumns} columns, this one has ${line.length}`
        : null,
  },
  {
    files: source,
    except: /^src\/kit\/clock\.ts$|^src\/proxy\/|^scripts\/bench\//,
    fault: (line) =>
      /\bDate\.now\b|\bnew Date\(\)|Temporal\.Now\b/.test(line)
        ? 'the time comes from a Clock (src/kit/clock.ts)'
        : null,
  },
  {
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro)$/,
    except: /^test\/scripts\/checks\//,
    fault: (line) =>
      /\bMath\.random\b/.test(line) ? 'chance is passed in, seeded where it must repeat itself' : null,
  },
  {
    files: source,
    fault: (line) =>
      /\b\w*(Error|Failure|Refused|Rejection)\(\s*(['"`]).*[a-z]\.\2\)/.test(line)
        ? 'the message of an error has no full stop'
        : null,
  },
  {
    files: /^(src|scripts|test)\/.*\.(ts|mjs|astro|mdx?)$/,
    except: /^(scripts|test\/scripts)\/checks\//,
    fault: (line) => {
      const phrase = translated.exec(line)?.[0]
      return phrase === undefined ? null : `"${phrase}" reads as a translation`
    },
  },
]

/** Phrases that a native writer would not use here. */
const translated =
  /\b(mend(s|ed|ing)?|anew|parted by|what is known of|is told|are told|(goes?|gone|going) on from)\b/i

const forbiddenNames = /(^|\/)(utils?|helpers?|common|misc|index)\.(ts|mjs)$/

/** Every fault among the files, given by path from the root of the project. */
export function habitFaults(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([file, text]) => [
    ...(forbiddenNames.test(file) ? [`${file}: a file is named after its one concept`] : []),
    ...lineFaults(file, text),
    ...undocumented(file, text),
  ])
}

function lineFaults(file: string, text: string): string[] {
  const kept = habits.filter(({ files, except }) => files.test(file) && !except?.test(file))
  return text.split('\n').flatMap((line, i) =>
    kept.flatMap(({ fault }) => {
      const found = fault(line, file)
      return found === null ? [] : [`${file}:${i + 1}: ${found}`]
    }),
  )
}

/** Public functions of the two rooms that everybody builds on, without a doc comment. */
function undocumented(file: string, text: string): string[] {
  if (!/^src\/(kit|language)\//.test(file)) return []
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const name = /^export (?:async )?(?:function\*?|class) (\w+)/.exec(line)?.[1]
    return name === undefined || lines[i - 1]?.endsWith('*/')
      ? []
      : [`${file}:${i + 1}: ${name} has no doc comment`]
  })
}
