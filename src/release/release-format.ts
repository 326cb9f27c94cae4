import type { StoredFormat } from '#kit/stored-format.ts'

/** The sections of a table, by name. */
export type Sections = Readonly<Record<string, Buffer<ArrayBuffer>>>

/** The numbers from 0 on, as a section of so many bytes. */
function firstNumbers(sizeBytes: number): Buffer<ArrayBuffer> {
  return Buffer.from(Uint32Array.from({ length: sizeBytes / 4 }, (_, number) => number).buffer)
}

/**
 * A release: its manifest and its tables (FORMAT.md). Its files never change, so they are migrated
 * in memory whenever they are opened. Raising the version also lets cached segments lapse.
 */
export const releaseFormat: StoredFormat<{
  manifest(fields: Record<string, unknown>): Record<string, unknown>
  table(table: string, sections: Sections): Sections
}> = {
  firstVersion: 2,
  migrations: [
    {
      manifest: (fields) => fields,
      // Clips named words by their rows.
      table: (table, sections) =>
        table === 'words' ? { ...sections, rowsByNumber: firstNumbers(sections.wordIds!.length) } : sections,
    },
  ],
  adviceForOld: 'Build into an empty folder, and publish with --replace-tree',
}
