/** Checks that no declared name is a bare participle (`found`): `node scripts/check-names.ts`. */
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

/** Verbs whose participle is spelled like the infinitive: good names for functions. */
const verbs = new Set(['cut', 'put', 'read', 'spread', 'split', 'shut'])

/** The API parameter. */
const parameter = 'known'

/** Fields that a client sees, a file contains or a library reads, and where each of them is. */
const fields: Record<string, string> = {
  added: 'changes.json, "catalogue import --json"',
  changed: 'changes.json, "build --json"',
  deleted: '"publish --json"',
  done: 'the result of an iterator',
  dropped: '"import --json"',
  enabled: '"keys list --json"',
  imported: '"import --json"',
  kept: '"build --json", "catalogue import --json"',
  rejected: '"build --json", "import --json"',
  preferred: 'an option of negotiator',
  received: '"verify --json"',
  removed: 'changes.json',
  required: 'OpenAPI',
  skipped: '"import --json"',
  unchanged: '"import --json"',
  wanted: '"verify --json"',
  written: '"publish --json"',
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

/** Whether a node declares a field, or takes one out of an object under its own name. */
function isField(node: ts.Node): boolean {
  const isOwnName = ts.isBindingElement(node) && node.propertyName === undefined
  return ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || isOwnName
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

function isAllowed(node: ts.Node, name: string): boolean {
  if (name === parameter) return true
  return isField(node) ? Object.hasOwn(fields, name) : verbs.has(name) && isFunction(node)
}

/** Returns the bare participles that a file declares, as lines for the terminal. */
export function nameFaults(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const faults: string[] = []
  const visit = (node: ts.Node): void => {
    const name = declaredName(node)
    if (name && isParticiple(name.text) && !isAllowed(node, name.text)) {
      const { line } = source.getLineAndCharacterOfPosition(name.getStart())
      faults.push(`${file}:${line + 1}: a name is a noun, not a bare participle: ${name.text}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return faults
}

if (import.meta.main) {
  const files = (await fastGlob('{src,scripts}/**/*.{ts,mjs}', { ignore: ['**/dist/**'] })).toSorted()
  const faults = files.flatMap((file) => nameFaults(file, readFileSync(file, 'utf8')))
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
