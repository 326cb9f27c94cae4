/**
 * Returns a function that keeps only the latest of several requests: a promise that is superseded
 * by a later one never settles, not even with an error.
 */
export function latestOnly(): <T>(answer: Promise<T>) => Promise<T> {
  let turn = 0
  return async (answer) => {
    const mine = ++turn
    try {
      return await answer
    } finally {
      if (mine !== turn) await new Promise(() => {})
    }
  }
}
