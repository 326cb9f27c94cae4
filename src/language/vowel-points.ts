/** The marks of Arabic and Hebrew letters, and the tatweel, which only stretches a word. */
const points = /(?<=[\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}|\u0640/gu

/**
 * Text without the vowel points of Arabic and Hebrew, which dictionaries write and speech does not.
 *
 *     withoutPoints('كَتَبَ') // 'كتب'
 */
export function withoutPoints(text: string): string {
  return text.replace(points, '')
}
