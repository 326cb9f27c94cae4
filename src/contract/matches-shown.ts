/** The maximum number of matches in an item of a sentence search. */
export const matchesShown = 3
