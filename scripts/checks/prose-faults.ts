/**
 * Words that we do not write, and what to write instead. Terms are those of the glossary, spelled
 * one way.
 */
const rules: [pattern: RegExp, advice: string][] = [
  [/\banew\b/i, 'write “again”'],
  [/\bmend(s|ed|ing)?\b/i, 'write “fix”, “correct” or “repair”'],
  [/\bpart(ed|s) by\b/i, 'write “separated by”'],
  [/\b(is|are|was|were) told\b/i, 'say who tells what, or use another verb'],
  [/\bwhat is known of\b/i, 'name what is known'],
  [/\bfor ever\b/i, 'write “permanently” or “for good”'],
  [/\bheld against\b/i, 'write “compared with”'],
  [/\b(take|takes|taken|took) up\b(?! to)/i, 'write “switch to” or “load”'],
  [/\bgo(es)? on (with|from|in)\b/i, 'write “continue”'],
  [/\bgiv(en|es) out\b/i, 'write “issue”'],
  [/\bcomes? to the same\b/i, 'write “gives the same result”'],
  [/\bwhat (is|was) (not|no)\b/i, 'name the thing'],
  [/\bnobody can (know|tell|have)\b/i, 'say what is unknown'],
  [/\bless the\b/i, 'write “except” or “without”'],
  [/\b(is|are) to be\b/i, 'write “must be”, or use the active voice'],
  [/\blast(s)? but\b|\b(all|every|each|none|nothing) but\b/i, 'write “except”'],
  [/\bmail address\b|\be-mail\b/i, 'write “email address”'],
  [/(?<!clip )\blookups?\b/i, 'the noun is “look-up”, the verb “look up”'],
  [/\bbackend\b|\bfrontend\b/i, 'say which part you mean'],
  [/\bplease\b/i, 'leave it out'],
  [/\b(simply|easily|obviously|of course)\b/i, 'leave it out'],
  [/\bleverag|\butiliz|\butilis/i, 'write “use”'],
  [/\b(\w+) \1\b(?<!\b(had had|that that))/i, 'a word is repeated'],
]

/** The longest sentence, in words. */
const longestSentence = 45

/**
 * Markdown or MDX as prose: without front matter keys, imports, code and tables, each paragraph on
 * one line.
 */
function proseOf(markdown: string): string[] {
  return markdown
    .replace(/^---\n([\s\S]*?)\n---\n/, (_, front: string) => textOfFront(front))
    .replace(/```[\s\S]*?```/g, '')
    .replace(/^(import|export) .*$/gm, '')
    .replace(/`[^`\n]*`/g, 'CODE')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<[A-Z]\w*\s[^>]*>/g, ' ')
    .replace(/^\s*(?:[-*]|\d+\.)\s+/gm, '\n')
    .split(/\n\s*\n|\n(?=\||#)/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
}

/** The lines of front matter that readers see. */
function textOfFront(front: string): string {
  const shown = [...front.matchAll(/^\s*(?:title|description|tagline): (.*)$/gm)]
  return `${shown.map(([, text]) => text).join('\n\n')}\n\n`
}

/**
 * Finds words and sentences in Markdown that are not plain English. Each fault names the text
 * around it.
 */
export function proseFaults(markdown: string): string[] {
  return proseOf(markdown).flatMap((paragraph) => {
    const words = rules.flatMap(([pattern, advice]) => {
      const match = pattern.exec(paragraph)
      return match ? [`“${around(paragraph, match.index, match[0].length)}”: ${advice}`] : []
    })
    if (paragraph.startsWith('|')) return words
    const long = paragraph
      .split(/(?<=[.!?:;])\s+/)
      .filter((sentence) => sentence.split(' ').length > longestSentence)
      .map((sentence) => `“${sentence.slice(0, 60)}…”: split this sentence`)
    return [...words, ...long]
  })
}

function around(text: string, index: number, length: number): string {
  return text.slice(Math.max(0, index - 20), index + length + 20)
}
