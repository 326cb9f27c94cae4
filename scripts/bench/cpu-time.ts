import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time that a process has spent so far over all its threads, in milliseconds (Linux: proc(5),
 * schedstat).
 */
export function cpuTimeMs(pid: number): number {
  let ns = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    ns += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  }
  return ns / 1e6
}
