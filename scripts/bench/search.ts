/**
 * `npm run bench:search`: what an uncached word search costs, compared with alternatives: a plain
 * scan of all words, SQLite FTS5 with trigrams, and MiniSearch. Each searches for a folded text and
 * returns the first 20 rows in the contract's order with the exact total, if it can: FTS5 finds no
 * text below three characters, MiniSearch only beginnings of words. None reads parameters or makes
 * JSON. Argument: how many words.
 */
import { DatabaseSync } from 'node:sqlite'
import MiniSearch from 'minisearch'
import { searchFold } from '#language/search-fold.ts'
import { findWords, type SearchIndex } from '#proxy/search/find-words.ts'
import { SearchTable } from '#release/search/reader.ts'
import { writeSearchTable } from '#release/search/writer.ts'
import { makeWords } from './make-corpus.ts'
import { print } from './run.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { median } from './statistics.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const limit = 20
/** How often the ways search in turn, so that other work of the machine affects all alike. */
const rounds = 3
const random = seededRandom(7)
const folded = withCjk(makeWords(count).map((word) => searchFold(word, 'en')))
const range = { first: 0, clipsEnd: Math.floor(count / 3), end: count }
const levels = Uint8Array.from({ length: count }, () => Math.floor(random() * 6))

/** One word in ten becomes one of two to four ideographs. */
function withCjk(words: string[]): string[] {
  const ideograph = () => String.fromCodePoint(0x4e00 + Math.floor(random() ** 3 * 3000))
  return words.map((word, i) =>
    i % 10 === 3 ? Array.from({ length: 2 + (i % 3) }, ideograph).join('') : word,
  )
}

interface Way {
  name: string
  /** Returns the total; −1 if it cannot search for this text. */
  find(text: string): number
}

const ways: Way[] = [
  timed('suffix array', suffixArray),
  timed('plain scan', plainScan),
  timed('FTS5 trigram', fts5),
  timed('MiniSearch', miniSearch),
]
const queries = makeQueries()
print(`${count} words; µs a query: median, worst`)
for (const [kind, texts] of Object.entries(queries)) {
  const [ours, ...others] = measureAll(texts)
  print(`  ${kind} (${texts.length}): ${ways[0]!.name} ${describe(ours!)}`)
  for (const [i, theirs] of others.entries()) {
    // Only correct answers: those with the same total.
    const right = theirs.filter(({ total }, query) => total === ours![query]!.total)
    const same = ours!.filter(({ total }, query) => total === theirs[query]?.total)
    const ratio =
      right.length === 0 ? '' : `, × ${(medianOf(right) / medianOf(same)).toFixed(1)} of ours on the same`
    const all = right.length === theirs.length ? '' : `; ${describe(theirs)} on all, whatever it finds`
    print(
      `    ${ways[i + 1]!.name.padEnd(14)} ${right.length === 0 ? 'answers none' : `${describe(right)} on the ${right.length} of ${theirs.length} that it answers${ratio}`}${all}`,
    )
  }
}

function medianOf(measured: readonly Measured[]): number {
  return median(measured.map(({ us }) => us))
}

function describe(measured: readonly Measured[]): string {
  return `${medianOf(measured).toFixed(1)} ${Math.max(...measured.map(({ us }) => us)).toFixed(1)}`
}

function makeQueries(): Record<string, string[]> {
  const pieceOf = (length: number): string => {
    for (;;) {
      const word = [...folded[Math.floor(random() * count)]!]
      const from = Math.floor(random() * (word.length - length + 1))
      if (word.length >= length) return word.slice(from, from + length).join('')
    }
  }
  const many = (make: () => string) => Array.from({ length: 200 }, make)
  const beginning = (length: number) => () =>
    [...folded[Math.floor(random() * count)]!].slice(0, length).join('')
  return {
    'every letter': [...'abcdefghijklmnopqrstuvwxyz'],
    'every two letters': [...'abcdefghijklmnopqrstuvwxyz'].flatMap((a, _, all) => all.map((b) => a + b)),
    '3 characters': many(() => pieceOf(3)),
    '4 characters': many(() => pieceOf(4)),
    '8 characters': many(() => pieceOf(8)),
    'beginnings of 3': many(beginning(3)),
    'one ideograph': many(() => String.fromCodePoint(0x4e00 + Math.floor(random() ** 3 * 3000))),
    'a miss': many(() => `q${Math.floor(random() * 1e6)}`),
    '100 characters': many(() => 'ation'.repeat(20)),
  }
}

interface Measured {
  us: number
  total: number
}

function measureAll(texts: readonly string[]): Measured[][] {
  // The plain scan takes as long for any text.
  const textsOf = ways.map(({ name }) => (name === 'plain scan' ? texts.slice(0, 20) : texts))
  const measured = textsOf.map((own) => own.map((): Measured => ({ us: Infinity, total: -1 })))
  for (let round = 0; round < rounds; round++)
    for (const [i, { find }] of ways.entries()) measure(find, textsOf[i]!, measured[i]!)
  return measured
}

/**
 * Passes over all texts, more where they are quick: of each text the least counts, which is free of
 * what else the process and the machine do (collecting garbage, compiling). The clock is the
 * wall's: that of CPU time takes as long to read as the quickest queries.
 */
function measure(find: (text: string) => number, texts: readonly string[], measured: Measured[]): void {
  const startMs = performance.now()
  for (let pass = 0; pass < 1 || (pass < 10 && performance.now() - startMs < 400); pass++) {
    for (const [i, text] of texts.entries()) {
      const before = process.hrtime.bigint()
      const total = find(text)
      const us = Number(process.hrtime.bigint() - before) / 1000
      measured[i] = { us: Math.min(measured[i]!.us, us), total }
    }
  }
}

/** Prints what making it took. */
function timed(name: string, make: () => Way['find']): Way {
  const startMs = performance.now()
  const before = process.memoryUsage().rss
  const find = make()
  const mb = (process.memoryUsage().rss - before) / 1e6
  print(`${name}: made in ${((performance.now() - startMs) / 1000).toFixed(1)} s, ${mb.toFixed(0)} MB`)
  return { name, find }
}

function suffixArray(): Way['find'] {
  const bytes = new Uint8Array(Buffer.concat(writeSearchTable({ folded, levels, ranges: [range] })))
  print(`  its table: ${(bytes.length / 1e6).toFixed(0)} MB`)
  const index: SearchIndex = { search: new SearchTable(bytes, 'search.bin'), levels, range }
  return (text) => findWords(index, text, { levelMask: 63, hasClips: false, offset: 0, limit }).totalCount
}

function plainScan(): Way['find'] {
  return (text) => {
    const groups: number[][] = [[], [], []]
    for (let row = 0; row < count; row++) {
      const at = folded[row]!.indexOf(text)
      if (at >= 0) groups[at > 0 ? 2 : folded[row]!.length === text.length ? 0 : 1]!.push(row)
    }
    return groups.flat().slice(0, limit) && groups.reduce((sum, { length }) => sum + length, 0)
  }
}

function fts5(): Way['find'] {
  const db = new DatabaseSync(':memory:')
  db.exec("create virtual table words using fts5(folded, tokenize = 'trigram', detail = 'none')")
  db.exec('begin')
  const insert = db.prepare('insert into words (rowid, folded) values (?, ?)')
  for (const [row, text] of folded.entries()) insert.run(row + 1, text)
  db.exec('commit')
  const select = db.prepare(
    `select rowid, count(*) over () as total from words where folded like ?1
     order by folded = ?2 desc, substr(folded, 1, ?3) = ?2 desc, rowid limit ${limit}`,
  )
  return (text) => {
    if ([...text].length < 3) return -1
    return (select.all(`%${text}%`, text, text.length)[0]?.total as number | undefined) ?? 0
  }
}

function miniSearch(): Way['find'] {
  const index = new MiniSearch<{ id: number; folded: string }>({
    fields: ['folded'],
    tokenize: (text) => [text],
    processTerm: (term) => term,
  })
  index.addAll(folded.map((text, id) => ({ id, folded: text })))
  return (text) => {
    const found = index.search(text, { prefix: true }).map(({ id }) => id as number)
    // In the contract's order: the word itself, then by row.
    const page = found
      .sort((a, b) => Number(folded[b] === text) - Number(folded[a] === text) || a - b)
      .slice(0, limit)
    return page.length === 0 ? 0 : found.length
  }
}
