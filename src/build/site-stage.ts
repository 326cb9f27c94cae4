/** A site that is built but not published yet. */
export interface StagedSite {
  /** Replaces the previous site. */
  publish(): Promise<void>
  /** Deletes what was not published. Harmless after `publish`. */
  discard(): Promise<void>
}

/**
 * Builds the site of a release that is in service or about to be. Returns null if the published
 * site was built from the same input. It is an option because the build does not know pages.
 *
 * @throws {Error} it cannot be built
 */
export type StageSite = (release: string) => Promise<StagedSite | null>
