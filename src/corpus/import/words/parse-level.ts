import { levels, type Level } from '#contract/levels.ts'

const level = /[abc][12]/g
/** What a cell of levels may have besides them: "CEFR A2+", "B1-B2", "A1/A2". */
const beside = /^(?:cefr|ger|level|niveau|nivel|stufe|to|[\s/,;:+()–-])*$/

/**
 * The level that a cell names, the lowest of several; undefined if it has anything else, such as
 * "pre-A1" or a level of another system.
 *
 *     parseLevel('B1–B2') // 'B1'
 */
export function parseLevel(cell: string): Level | undefined {
  const text = cell.normalize('NFKC').toLowerCase()
  const levelNames: readonly string[] = text.match(level) ?? []
  if (!beside.test(text.replace(level, ' '))) return undefined
  return levels.find((each) => levelNames.includes(each.toLowerCase()))
}

/** The lowest level among the tags of a note: "verb CEFR::A1" has A1. */
export function levelOfTags(tags: string): Level | undefined {
  const names = tags.split(/[\s,]+/).map((tag) => tag.split('::').at(-1)!.toUpperCase())
  return levels.find((each) => names.includes(each))
}
