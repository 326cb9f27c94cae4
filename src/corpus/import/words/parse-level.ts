import { levels, type Level } from '#contract/levels.ts'

/** Some courses divide a level: A1.2. */
const level = /[abc][12](?:\.[12])?/g
/** Other text that a cell of levels may contain: "CEFR A2+", "B1-B2", "B1 - Intermediate". */
const beside =
  /^(?:cefr|ger|level|niveau|nivel|stufe|to|beginner|elementary|(?:pre|upper|low|high)?-?intermediate|advanced|proficien(?:t|cy)|threshold|[\s/,;:+()–-])*$/

/** Maps Cyrillic letters to the letters of levels that look the same. */
const lookAlikes = new Map([
  ['а', 'a'],
  ['в', 'b'],
  ['с', 'c'],
])

/**
 * Returns the level in a cell, the lowest of several; undefined if the cell contains anything else,
 * such as "pre-A1" or a level of another system.
 *
 *     parseLevel('B1–B2') // 'B1'
 */
export function parseLevel(cell: string): Level | undefined {
  const lowerCase = cell.normalize('NFKC').toLowerCase()
  const text = lowerCase.replace(/[авс](?=[12])/g, (letter) => lookAlikes.get(letter)!)
  const levelNames = (text.match(level) ?? []).map((name) => name.slice(0, 2))
  if (!beside.test(text.replace(level, ' '))) return undefined
  return levels.find((each) => levelNames.includes(each.toLowerCase()))
}

/** Returns the lowest level among the tags of a note: "verb CEFR::A1" has A1. */
export function levelOfTags(tags: string): Level | undefined {
  const names = tags.split(/[\s,]+/).map((tag) => tag.split('::').at(-1)!.toUpperCase())
  return levels.find((each) => names.includes(each))
}
