/**
 * Lists all messages of the API and the commands, with file, line and the source of placeholders.
 *
 * A message is text that, according to the type checker, reaches an error, or a parameter or a
 * property that contains a message (`message`, `reason`, `line` …). Constants, functions and
 * placeholders are followed to their text, so nobody has to keep a list of messages. The commands
 * add a capital letter and a full stop (`toSentence`), and put the name of a field or of a file
 * before a text without a subject.
 */
import { relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export interface ListedMessage {
  file: string
  line: number
  text: string
}

/** The parameters and properties that hold a message. */
const messageNames = new Set([
  'message',
  'reason',
  'fault',
  'line',
  'msg',
  'error',
  'params',
  'detail',
  'arg',
])

/** The folders whose text is a page, or a copy that runs elsewhere. */
const notMessages = /^(src\/site|src\/client|src\/sample-corpus|scripts\/bench|scripts\/check)/

/** Returns the messages in the order of files and lines, each once. */
export function listMessages(root: string): ListedMessage[] {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const hasMessages = (file: string) => {
    const path = relative(root, file)
    return /^(src|scripts)\//.test(path) && !notMessages.test(path)
  }
  const program = ts.createProgram(fileNames.filter(hasMessages), options)
  const finder = new MessageFinder(program.getTypeChecker(), root)
  for (const file of program.getSourceFiles()) if (hasMessages(file.fileName)) finder.visit(file)
  return finder.messages
}

class MessageFinder {
  readonly messages: ListedMessage[] = []
  readonly #checker: ts.TypeChecker
  readonly #root: string
  readonly #followed = new Set<ts.Node>()

  constructor(checker: ts.TypeChecker, root: string) {
    this.#checker = checker
    this.#root = root
  }

  readonly visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) this.#visitArguments(node)
    if (ts.isPropertyAssignment(node) && messageNames.has(node.name.getText())) this.#follow(node.initializer)
    if (ts.isShorthandPropertyAssignment(node) && messageNames.has(node.name.text)) {
      const value = this.#checker.getShorthandAssignmentValueSymbol(node)?.valueDeclaration
      if (value && ts.isVariableDeclaration(value) && value.initializer) this.#follow(value.initializer)
    }
    ts.forEachChild(node, this.visit)
  }

  #visitArguments(node: ts.NewExpression | ts.CallExpression): void {
    const parameters = this.#checker.getResolvedSignature(node)?.parameters ?? []
    for (const [i, argument] of (node.arguments ?? []).entries())
      if (messageNames.has(parameters[Math.min(i, parameters.length - 1)]?.name ?? '')) this.#follow(argument)
  }

  /** Adds the texts that an expression can have. */
  #follow(node: ts.Expression): void {
    if (this.#followed.has(node)) return
    this.#followed.add(node)
    if (ts.isTemplateExpression(node))
      for (const { expression } of node.templateSpans) this.#follow(expression)
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) return this.#add(node, textOf(node))
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return this.#follow(node.expression)
    if (ts.isConditionalExpression(node)) {
      this.#follow(node.whenTrue)
      return this.#follow(node.whenFalse)
    }
    if (ts.isBinaryExpression(node)) return this.#followBinary(node)
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) return this.#followName(node)
    if (ts.isElementAccessExpression(node)) return this.#followName(node.expression)
    if (ts.isNonNullExpression(node)) return this.#follow(node.expression)
    if (ts.isObjectLiteralExpression(node))
      for (const property of node.properties)
        if (ts.isPropertyAssignment(property)) this.#follow(property.initializer)
    if (ts.isCallExpression(node)) return this.#followCall(node)
    if (ts.isArrowFunction(node)) return this.#followReturns(node)
  }

  #followBinary(node: ts.BinaryExpression): void {
    const isJoin = node.operatorToken.kind === ts.SyntaxKind.PlusToken
    if (isJoin) return this.#add(node, textOf(node))
    this.#follow(node.left)
    this.#follow(node.right)
  }

  #followName(node: ts.Expression): void {
    let symbol = this.#checker.getSymbolAtLocation(node)
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol)
    const declaration = symbol?.valueDeclaration
    if (declaration && (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)))
      if (declaration.initializer) this.#follow(declaration.initializer)
  }

  #followCall(node: ts.CallExpression): void {
    if (ts.isElementAccessExpression(node.expression)) return this.#follow(node.expression)
    const declaration = this.#checker.getResolvedSignature(node)?.declaration
    if (!declaration || !this.#isOurs(declaration)) return
    if (ts.isFunctionLike(declaration)) this.#followReturns(declaration as ts.FunctionLikeDeclaration)
  }

  #followReturns(node: ts.FunctionLikeDeclaration): void {
    if (!node.body) return
    if (!ts.isBlock(node.body)) return this.#follow(node.body)
    const visit = (child: ts.Node): void => {
      if (ts.isFunctionLike(child)) return
      if (ts.isReturnStatement(child) && child.expression) this.#follow(child.expression)
      ts.forEachChild(child, visit)
    }
    visit(node.body)
  }

  #isOurs(node: ts.Node): boolean {
    return /^(src|scripts)\//.test(relative(this.#root, node.getSourceFile().fileName))
  }

  #add(node: ts.Node, text: string): void {
    if (!this.#isOurs(node) || !/\p{L}{2}.* /u.test(text)) return
    const source = node.getSourceFile()
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    this.messages.push({ file: relative(this.#root, source.fileName), line: line + 1, text })
  }
}

/** The text of a string expression, with the source of each placeholder in braces. */
function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return (
      node.head.text + node.templateSpans.map((span) => textOf(span.expression) + span.literal.text).join('')
    )
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return textOf(node.left) + textOf(node.right)
  return `{${node.getText().replace(/\s+/g, ' ')}}`
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const messages = listMessages(root)
  for (const { file, line, text } of messages) process.stdout.write(`${file}:${line}  ${text}\n`)
  process.stderr.write(`${messages.length} messages\n`)
}
