import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Page, SaidClip } from './said.ts'

/**
 * The same clips in SQLite FTS5. Each word is indexed as a code, because the tokenisers of FTS5
 * would split words such as "0:59" and "20%". FTS5 cannot tell SQL how often a phrase occurs, so a
 * function counts it in the text. SQLite caches about as much as our index does.
 */
export class Fts5 {
  readonly #codes = new Map<string, string>()
  readonly #database: DatabaseSync
  readonly #ask: StatementSync

  constructor(folder: string) {
    const database = new DatabaseSync(join(folder, 'fts5.sqlite'))
    this.#database = database
    database.function('count_of', (phrase, text) => countOf(phrase as string, text as string))
    database.exec(`PRAGMA cache_size = -32768;
      CREATE VIRTUAL TABLE said USING fts5(text, content='');
      CREATE TABLE clips (id INTEGER PRIMARY KEY, level INTEGER, clipId TEXT, text TEXT)`)
    this.#ask = database.prepare(
      `SELECT clipId, count_of(?, clips.text) AS count, COUNT(*) OVER () AS total
       FROM said JOIN clips ON clips.id = said.rowid
       WHERE said MATCH ? ORDER BY level, count DESC, clipId LIMIT 20`,
    )
  }

  add(clips: readonly SaidClip[]): void {
    const database = this.#database
    database.exec('BEGIN')
    const addText = database.prepare('INSERT INTO said (rowid, text) VALUES (?, ?)')
    const addClip = database.prepare('INSERT INTO clips VALUES (?, ?, ?, ?)')
    for (const [i, { clipId, tokens, starts, level }] of clips.entries()) {
      const begins = new Set(starts)
      // A word that nobody asks for keeps phrases from crossing the end of a sentence.
      const words = tokens.map((token, at) =>
        begins.has(at) ? `zzzz ${this.#code(token)}` : this.#code(token),
      )
      const text = words.join(' ')
      addText.run(i, text)
      addClip.run(i, level, clipId, ` ${text} `)
    }
    database.exec(`COMMIT; INSERT INTO said (said) VALUES ('optimize')`)
  }

  ask(phrase: readonly string[]): Page {
    const text = phrase.map((token) => this.#code(token)).join(' ')
    const rows = this.#ask.all(` ${text} `, `"${text}"`) as { clipId: string; count: number; total: number }[]
    return { total: rows[0]?.total ?? 0, clips: rows.map(({ clipId, count }) => ({ clipId, count })) }
  }

  /** Letters and digits, about as long as a word. */
  #code(token: string): string {
    let code = this.#codes.get(token)
    if (!code) this.#codes.set(token, (code = `w${this.#codes.size.toString(36)}`))
    return code
  }
}

/** How often a phrase occurs in a text, overlapping runs included. */
function countOf(phrase: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) count++
  return count
}
