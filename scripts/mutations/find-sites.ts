import ts from 'typescript';

export const mutationKinds = [
  'flipped comparison',
  'moved boundary',
  'flipped operator',
  'removed negation',
  'swapped branches',
  'removed statement',
  'changed literal',
  'removed filter',
] as const;
export type MutationKind = (typeof mutationKinds)[number];

/** A location in a source file, with one small change that a test should detect. */
export interface MutationSite {
  kind: MutationKind;
  /** Line of the change, starting at 1, and its text without indentation. */
  line: number;
  lineText: string;
  /** Range of the changed expression, and its text before and after the change. */
  start: number;
  end: number;
  before: string;
  after: string;
}

const flippedComparisons = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
]);
const movedBoundaries = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
]);
const flippedOperators = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
]);

/** Names of calls that write logs, and of properties and attributes that contain texts for people. */
const logCalls = /^(?:console|log|logger)\.|\.(?:log|logger)\./;
const textNames = /^(?:message|title|description|label|placeholder|hint|help|fix|text|sentence|aria-\w+)$/i;

/**
 * Returns all mutation sites of a TypeScript file in the order of the text. Types, texts for people, log
 * lines, and thrown errors contain no sites. Code outside of functions contains none either. It runs only
 * when the first test file of a worker loads the module, so the other test files that depend on it can't be
 * recorded.
 */
export function findSites(fileName: string, text: string): MutationSite[] {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const sites: MutationSite[] = [];

  function add(kind: MutationKind, node: ts.Node, after: string, at: ts.Node = node): void {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const before = text.slice(start, end);
    if (before === after) return;
    const { line } = source.getLineAndCharacterOfPosition(at.getStart(source));
    const lineText = lines[line]!.trim();
    sites.push({ kind, line: line + 1, lineText, start, end, before, after });
  }

  /** Returns the text of `node` with one of its parts replaced. */
  function replacePart(node: ts.Node, part: ts.Node, replacement: string): string {
    const [start, end] = [node.getStart(source), node.getEnd()];
    return text.slice(start, part.getStart(source)) + replacement + text.slice(part.getEnd(), end);
  }

  function addBinary(node: ts.BinaryExpression): void {
    const { operatorToken: operator } = node;
    const replacements = [
      ['flipped comparison', flippedComparisons],
      ['moved boundary', movedBoundaries],
      ['flipped operator', flippedOperators],
    ] as const;
    for (const [kind, replacement] of replacements) {
      const changed = replacement.get(operator.kind);
      if (changed !== undefined) add(kind, node, replacePart(node, operator, changed), operator);
    }
  }

  function addBranches(node: ts.ConditionalExpression): void {
    const { whenTrue, whenFalse } = node;
    if (isProse(whenTrue) && isProse(whenFalse)) return;
    const [first, second] = [whenTrue.getText(source), whenFalse.getText(source)];
    const [start, end] = [node.getStart(source), node.getEnd()];
    const after =
      text.slice(start, whenTrue.getStart(source)) +
      second +
      text.slice(whenTrue.getEnd(), whenFalse.getStart(source)) +
      first +
      text.slice(whenFalse.getEnd(), end);
    add('swapped branches', node, after);
  }

  function addFilter(node: ts.CallExpression): void {
    const { expression: callee, arguments: args } = node;
    if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'filter' || args.length !== 1) return;
    // Skip optional chains: without the removed call, the calls after it would no longer be part of the
    // chain.
    if (ts.isOptionalChain(node)) return;
    // Array methods take a function. A `filter` call with another argument belongs to a different type.
    const [argument] = args as unknown as [ts.Expression];
    if (!ts.isArrowFunction(argument) && !ts.isFunctionExpression(argument) && !ts.isIdentifier(argument))
      return;
    add('removed filter', node, callee.expression.getText(source), callee.name);
  }

  function visit(node: ts.Node, isInFunction: boolean): void {
    if (isSkipped(node)) return;
    if (isInFunction) addSites(node);
    ts.forEachChild(node, (child) => visit(child, isInFunction || ts.isFunctionLike(node)));
  }

  function addSites(node: ts.Node): void {
    if (ts.isBinaryExpression(node)) addBinary(node);
    else if (ts.isConditionalExpression(node)) addBranches(node);
    else if (ts.isCallExpression(node)) addFilter(node);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add('removed negation', node, node.operand.getText(source));
    else if (ts.isExpressionStatement(node) && isRemovable(node))
      add('removed statement', node.expression, 'void 0');
    else if (node.kind === ts.SyntaxKind.TrueKeyword) add('changed literal', node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) add('changed literal', node, 'true');
    else if (ts.isNumericLiteral(node) && !isPropertyName(node))
      add('changed literal', node, `(${node.getText(source)} + 1)`);
  }

  function isSkipped(node: ts.Node): boolean {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      return true;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isThrowStatement(node))
      return true;
    if (ts.isExpressionStatement(node)) return isLogCall(node.expression);
    if (ts.isCallExpression(node)) return isLogCall(node);
    if (ts.isPropertyAssignment(node) || ts.isJsxAttribute(node))
      return textNames.test(node.name.getText(source));
    return false;
  }

  function isLogCall(node: ts.Expression): boolean {
    return ts.isCallExpression(node) && logCalls.test(node.expression.getText(source));
  }

  visit(source, false);
  return sites.toSorted((one, other) => one.start - other.start);
}

/** True if an expression is a text for people, which contains a space. */
function isProse(node: ts.Expression): boolean {
  return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && node.getText().includes(' ');
}

/** True if the file still runs without the statement, and the statement doesn't wait for anything. */
function isRemovable({ expression }: ts.ExpressionStatement): boolean {
  if (ts.isStringLiteral(expression)) return false;
  if (ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword)
    return false;
  let waits = false;
  const visit = (node: ts.Node): void => {
    if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) waits = true;
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(expression);
  return !waits;
}

function isPropertyName(node: ts.NumericLiteral): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** Returns the text of a file with one of its sites changed. */
export function applyMutation(text: string, { start, end, after }: MutationSite): string {
  return text.slice(0, start) + after + text.slice(end);
}
