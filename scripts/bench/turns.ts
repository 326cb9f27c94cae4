/**
 * Measures the longest turn of the event loop until it is stopped, in milliseconds of CPU time of
 * this thread: other work of the machine does not count.
 */
export function watchTurns(): { stop(): number } {
  let longest = 0
  let before = cpuMs()
  const look = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - before)
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

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
