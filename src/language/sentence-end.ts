/** Matches the end of a sentence, anywhere between two tokens (contract 2). */
export const sentenceEnd = /[.!?…。！？｡]/u
