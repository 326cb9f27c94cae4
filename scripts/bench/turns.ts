/** Measures the longest turn of the event loop until it is stopped. */
export function watchTurns(): { stop(): number } {
  let longest = 0
  let before = performance.now()
  const look = () => {
    const now = performance.now()
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
