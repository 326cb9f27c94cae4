/** The entry `clip-lookup-client/helpers`. */
export { autocomplete, type AutocompleteOptions } from './autocomplete.ts'
export { findClips, type FoundClips } from './find-clips.ts'
export { flashcard, toAnki, toCsv, type Flashcard, type FlashcardParts } from './flashcard.ts'
export { glossary } from './glossary.ts'
export { highlight, segments, type Highlight, type Segment } from './highlight.ts'
export { lineAt, thumbnailUrl, watchUrlAt, wordAt } from './moments.ts'
export { toSrt, toWebVtt, type SubtitleOptions } from './subtitles.ts'
export { wordsBySpelling, type WordsBySpelling } from './words-by-spelling.ts'
