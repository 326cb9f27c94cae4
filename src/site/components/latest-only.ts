/**
 * Keeps what is asked for in one place of a page from overtaking: of an answer that something else
 * was asked for after, nothing is heard, not even that it failed.
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
