import { openNamingTables, type NamingTables } from '#release/named-files.ts'
import { PostingsTable } from '#release/postings/reader.ts'
import { openTableOf } from '#release/release.ts'
import type { Tree } from '#release/tree.ts'

/** The tables of a release that say which words are said in which clips. */
export interface IndexTables extends NamingTables {
  postings: PostingsTable
}

/** @throws {MissingFile | SyntaxError} a file is missing or damaged */
export async function openIndexTables(tree: Tree, id: string): Promise<IndexTables> {
  const tables = await openNamingTables(tree, id)
  return { ...tables, postings: await openTableOf(tree, tables.manifest, 'postings.bin', PostingsTable) }
}
