/** A site made aside, to be published with the release that it shows. */
export interface StagedSite {
  /** Puts it in the place of the site before. */
  publish(): Promise<void>
  /** Clears up what was made aside; harmless after `publish`. */
  discard(): Promise<void>
}

/**
 * Makes the site of a release that is whole in the tree, in service or about to be. Gives null
 * where the published site was made from just the same. Passed in: the build knows nothing of
 * pages.
 *
 * @throws {Error} it cannot be made
 */
export type StageSite = (release: string) => Promise<StagedSite | null>
