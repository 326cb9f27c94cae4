/**
 * How a verb differs from the rules: what the table says of it, or of the verb that follows one of
 * the prefixes.
 */
export function irregularOf<Irregular>(
  verb: string,
  irregular: Readonly<Record<string, Irregular>>,
  prefixes: ReadonlySet<string>,
): { prefix: string; known: Partial<Irregular> } {
  for (let at = 0; at < verb.length; at++) {
    const prefix = verb.slice(0, at)
    const known = irregular[verb.slice(at)]
    // In two letters nothing can be told: venir is not ir with a prefix.
    if (known && (at === 0 || (verb.length - at > 2 && prefixes.has(prefix)))) return { prefix, known }
  }
  return { prefix: '', known: {} }
}

/** A stem with each of some endings, which are separated by blanks. */
export function withEndings(stem: string, endings: string): string[] {
  return endings.split(' ').map((ending) => stem + ending)
}
