import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A statement of `statements.sql`, by its name. */
export type Statements = (name: string) => StatementSync

/** The name and text of each statement. */
const texts = readFileSync(join(import.meta.dirname, 'statements.sql'), 'utf8')
  .split(/^-- name: /m)
  .slice(1)
  .map((text) => /^(\w+)\n(.*?)\s*$/s.exec(text)!)

const statementsByDatabase = new WeakMap<DatabaseSync, Statements>()

/** Prepares the statements of a database, once: they belong to their connection. */
export function statementsOf(db: DatabaseSync): Statements {
  return statementsByDatabase.getOrInsertComputed(db, () => {
    const statements = new Map(texts.map(([, name, sql]) => [name!, db.prepare(sql!)]))
    return (name) => statements.get(name)!
  })
}
