import type { StoredFormat } from '#kit/stored-format.ts'

/** The sections of a table, by name. */
export type Sections = Readonly<Record<string, Buffer<ArrayBuffer>>>

/**
 * A release: its manifest and its tables (FORMAT.md). Its files never change, so they are migrated
 * in memory whenever they are opened. Raising the version also lets cached segments lapse.
 */
export const releaseFormat: StoredFormat<{
  manifest(fields: Record<string, unknown>): Record<string, unknown>
  table(table: string, sections: Sections): Sections
}> = {
  firstVersion: 3,
  migrations: [],
  adviceForOld: 'Build into an empty folder, and publish with --replace-tree',
}
