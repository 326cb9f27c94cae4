import { readFileSync } from 'node:fs'

/** For files, the store, logs, and connections to an origin and to a server of the site. */
const ownDescriptors = 400

/**
 * How many connections a process may have open, so that it always has descriptors left for itself:
 * with none, it could neither read a file nor accept a connection to refuse it. Unlimited where the
 * system does not say how many it gives (Linux: proc(5), limits).
 */
export function maxConnections(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const soft = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
    return soft - Math.min(ownDescriptors, Math.floor(soft / 2))
  } catch {
    return Infinity
  }
}
