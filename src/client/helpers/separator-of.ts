/** Returns the text between the words of a language: none in Japanese and Chinese. */
export function separatorOf(language: string): string {
  return language === 'ja' || language === 'zh' ? '' : ' '
}
