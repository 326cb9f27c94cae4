import { existsSync, readdirSync, readlinkSync } from 'node:fs'

/** Whether this system lists the files that a process has open. */
export const listsOpenFiles = existsSync('/proc/self/fd')

/** Returns the paths of the files that this process has open. */
export function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return [] // The descriptor of the folder itself.
    }
  })
}
