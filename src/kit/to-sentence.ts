/**
 * Returns a message as a sentence, with a capital letter and a full stop. The first word stays
 * unchanged if it is a name, such as `maxUnknown`, a path or an option.
 *
 *     toSentence('the store is empty') // 'The store is empty.'
 */
export function toSentence(message: string): string {
  const text = message.replace(/^[a-z]+(?=[ ,]|['’]s )/, (word) => word[0]!.toUpperCase() + word.slice(1))
  return /[.!?…](["”)]*)$/.test(text) ? text : `${text}.`
}
