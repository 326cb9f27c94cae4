import { readDataLines } from './data-file.ts'

/** How the words of a language are inflected. */
export interface InflectionTable {
  /** The forms of a word by the columns of the table; null for a word that it does not inflect. */
  inflect(word: string): string[][] | null
  /**
   * What forms are hardly ever, though the rules give them, as `form word`, and whether that holds
   * only where the form is a headword itself.
   */
  rare: ReadonlyMap<string, 'always' | 'headword'>
}

/** Of words that go by a short ending: lo is no l and o. */
const shortestStem = 2
const longEnding = 3

interface Line {
  ending: string
  columns: readonly (readonly string[])[]
}

/**
 * Reads a table of inflections, such as spanish-verbs.txt, which explains its form: the line for a
 * word alone goes before that of the longest ending of it.
 */
export function readInflections(name: string): InflectionTable {
  const endings = new Map<string, Line>()
  const words = new Map<string, Line>()
  const additions = new Map<string, string[][]>()
  const others = new Set<string>()
  const rare = new Map<string, 'always' | 'headword'>()
  for (const text of readDataLines(name)) {
    const [pattern, ...columns] = text.split('|').map((column) => column.trim()) as [string, ...string[]]
    const forms = columns.map((column) => column.split(' ').filter((form) => form !== ''))
    if (/^[?~]/.test(text))
      for (const pair of text.slice(2).split(', '))
        rare.set(pair, text.startsWith('?') ? 'always' : 'headword')
    else if (text.startsWith('!')) for (const word of text.slice(1).split(' ')) others.add(word)
    else if (text.startsWith('*')) endings.set(pattern.slice(1), { ending: pattern.slice(1), columns: forms })
    else if (text.startsWith('&')) additions.set(pattern.slice(1), forms)
    else {
      const [stems, ending] = pattern.includes('+')
        ? (pattern.split('+') as [string, string])
        : ['0', pattern]
      for (const stem of stems.split(','))
        words.set((stem === '0' ? '' : stem) + ending, { ending, columns: forms })
    }
  }
  const inflect = (word: string) => {
    const line = others.has(word) ? undefined : (words.get(word) ?? longest(endings, word))
    if (!line) return null
    const forms = formsOf(word, line)
    for (const [i, more] of additions.get(word)?.entries() ?? []) forms[i] = [...(forms[i] ?? []), ...more]
    return forms
  }
  return { inflect, rare }
}

function longest(endings: ReadonlyMap<string, Line>, word: string): Line | undefined {
  for (let at = 0; at < word.length; at++) {
    const line = endings.get(word.slice(at))
    if (line && (at >= shortestStem || line.ending.length >= longEnding)) return line
  }
  return undefined
}

function formsOf(word: string, line: Line): string[][] {
  const stem = word.slice(0, word.length - line.ending.length)
  return line.columns.map((endings) => endings.map((ending) => (ending === '0' ? stem : stem + ending)))
}
