import type { StageSite } from './site-stage.ts'

/**
 * Builds the developer site of a release in service and replaces the previous one. Returns null, or
 * why that failed: the previous site then stays, and the release is in service all the same.
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
