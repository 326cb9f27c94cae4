/**
 * Checks that no declared name is a bare participle (`found`, `asked`), which leaves the reader to
 * ask what was found: `node scripts/check-names.ts`.
 */
import ts from 'typescript'
import { readFileSync } from 'node:fs'
import fastGlob from 'fast-glob'

const irregular = new Set(
  (
    'begun bound broken brought built bought caught chosen come cut done drawn driven eaten fallen ' +
    'felt found forgotten given gone grown had heard held hidden kept known laid led left lent lost ' +
    'made meant met own paid put read risen said seen sent shown shut sold sought spent split spoken ' +
    'spread stood stuck sung sunk sworn taken taught thought thrown told torn understood woken won ' +
    'worn written'
  ).split(' '),
)
const nouns =
  /^(bed|breed|creed|deed|embed|feed|fixed|greed|hundred|need|red|reed|seed|shed|sled|speed|weed)$/

/** The verbs that are spelt like their participle, and so are good names of a function. */
const verbs = new Set(['cut', 'put', 'read', 'spread', 'split', 'shut'])

/** Names that a client sees, a file holds or a library reads, and why each is spelt as it is. */
const exceptions: Record<string, string> = {
  done: 'the field of an iterator’s result',
  known: 'the API parameter',
}

const isParticiple = (name: string): boolean =>
  irregular.has(name) || (/^[a-z]{2,}ed$/.test(name) && !nouns.test(name))

function isFunction(node: ts.Node): boolean {
  const { initializer } = node as ts.VariableDeclaration
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    (initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)))
  )
}

/** Returns the identifier that a node declares, if it declares one. */
function declaredName(node: ts.Node): ts.Identifier | undefined {
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionLike(node) ||
    ts.isClassDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node)
  const { name } = node as ts.NamedDeclaration
  return isDeclaration && name && ts.isIdentifier(name) ? name : undefined
}

/** Returns the bare participles that a file declares, as lines for the terminal. */
export function nameFaults(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const faults: string[] = []
  const visit = (node: ts.Node): void => {
    const name = declaredName(node)
    const isVerb = name !== undefined && verbs.has(name.text) && isFunction(node)
    if (name && isParticiple(name.text) && !isVerb && !Object.hasOwn(exceptions, name.text)) {
      const { line } = source.getLineAndCharacterOfPosition(name.getStart())
      faults.push(`${file}:${line + 1}: a name is a noun, not a bare participle: ${name.text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return faults
}

/** The names of each folder that are still to be replaced; a folder without an entry has none. */
const allowance: Record<string, number> = {
  scripts: 40,
  'src/client': 28,
  'src/contract': 7,
  'src/corpus': 32,
  'src/language': 60,
  'src/metering': 7,
  'src/nightly': 35,
  'src/proxy': 20,
  'src/release': 12,
  'src/site': 12,
  'src/tree': 11,
}

if (import.meta.main) {
  const files = (await fastGlob('{src,scripts}/**/*.{ts,mjs}', { ignore: ['**/dist/**'] })).toSorted()
  const faults = files.flatMap((file) => nameFaults(file, readFileSync(file, 'utf8')))
  const folderOf = (fault: string) => /^scripts|^src\/\w+/.exec(fault)![0]
  for (const [folder, list] of Map.groupBy(faults, folderOf)) {
    if (list.length <= (allowance[folder] ?? 0)) continue
    process.stderr.write(`${list.join('\n')}\n`)
    process.exitCode = 1
  }
}
