/**
 * Measures the longest turn of the event loop until it is stopped, in milliseconds: of each turn,
 * the CPU time of this thread, because the machine may have other work, or the time that passed if
 * that is less, because some systems count CPU time in steps of 4 ms.
 */
export function watchTurns(): { stop(): number } {
  let longest = 0
  let before = times()
  const look = () => {
    const now = times()
    longest = Math.max(longest, Math.min(now.cpuMs - before.cpuMs, now.ms - before.ms))
    before = now
  }
  const watch = () => {
    look()
    next = setImmediate(watch)
  }
  let next = setImmediate(watch)
  return {
    stop() {
      clearImmediate(next)
      look()
      return longest
    },
  }
}

function times(): { cpuMs: number; ms: number } {
  const { user, system } = process.threadCpuUsage()
  return { cpuMs: (user + system) / 1000, ms: performance.now() }
}
