/** The address as it may be shown in logs. */
export function withoutPassword(url: string): string {
  return url.replace(/\/\/.*@/s, '//…@')
}
