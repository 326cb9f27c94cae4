/**
 * What is said in a clip, as the sentence index takes it. It can be sent between threads and kept
 * as JSON.
 */
export interface Speech {
  /**
   * The tokens as they are spoken, a line each, with an empty line where a sentence ends. The
   * number of its line is the position of a token in the clip, so that two tokens at neighbouring
   * positions are of one sentence.
   */
  lines: string
  /** The words that tokens are indexed under: by turns a line and a word id, lines ascending. */
  words: number[]
  /** By turns a word id and a form under which the clip is indexed under the word. */
  forms: (number | string)[]
}
