import type { StageSite } from './site-stage.ts'

/**
 * Makes the developer site of a release that is in service and puts it in the place of the one
 * before. Gives null, or why it could not be made: the site before then stays, and the release,
 * which callers live on, is in service all the same.
 */
export async function makeSite(stageSite: StageSite, release: string): Promise<string | null> {
  try {
    const site = await stageSite(release)
    try {
      await site?.publish()
    } finally {
      await site?.discard()
    }
    return null
  } catch (error) {
    return (error as Error).message
  }
}
