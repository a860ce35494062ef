import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Attack, findAttack } from '../helpers/expression-cost.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Expressions whose time isn't linear, and why their input is short. */
const exceptions: Readonly<Record<string, string>> = {
  'src/sources/json-values.ts': 'a path in the options of a job, with at most 500 characters',
  'src/cli/configuration/environment-values.ts': 'a file of the person who runs the CLI',
  'src/cli/resources/body-fields.ts': 'an argument of the person who runs the CLI',
  'src/domain/discovery/cluster/cluster-facts.ts': 'a label with at most 253 characters',
  'src/domain/discovery/extractors/terragrunt.ts': 'an attribute with at most 2,000 characters',
};

test('every regular expression takes linear time, except for those with short input', () => {
  const found = new Map<string, string[]>();
  for (const file of sourceFiles()) {
    for (const { source, flags } of expressionsOf(file)) {
      const attack = attackOn(source, flags);
      if (attack === null) continue;
      const name = path.relative(root, file).replaceAll(path.sep, '/');
      found.set(name, [...(found.get(name) ?? []), `/${source}/${flags} on ${JSON.stringify(attack)}`]);
    }
  }
  const unexpected = [...found].filter(([file, all]) => !(file in exceptions) || all.length > 1);
  expect(Object.fromEntries(unexpected)).toEqual({});
  expect([...found.keys()].toSorted()).toEqual(Object.keys(exceptions).toSorted());
});

test('every pattern of the contract takes linear time', () => {
  const directory = path.join(root, 'spec');
  const patterns = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => patternsIn(parse(readFileSync(path.join(directory, file), 'utf8'))));
  expect(patterns.length).toBeGreaterThan(20);
  expect(patterns.filter((pattern) => attackOn(pattern, 'u') !== null)).toEqual([]);
});

test.each([
  ['a+$', ''],
  ['(a*)*b', ''],
  ['^(a|a)*$', ''],
  ['<[^>]*>', ''],
  ['^(ab)*(ab)*$', ''],
  ['image:.*foo', ''],
  ['(?=.*foo)', ''],
  ['^\\s*job', 'm'],
  ['^(.*?)\\s*$', 's'],
  ['^(?:[a-z]+[a-z0-9]*[-_])+v?(\\d.*)$', 'i'],
  ['^(\\w+\\s?)*$', ''],
  ['(x+x+)+y', ''],
  ['/\\*.*?\\*/', 's'],
])('the test finds that /%s/%s takes more than linear time', (source, flags) => {
  expect(findAttack(source, flags)).not.toBeNull();
});

test.each([
  ['^a+$', ''],
  ['<[^<>]*>', ''],
  ['foo.*', ''],
  ['^foo.*bar$', ''],
  ['^[ \\t]*job', 'm'],
  ['^(.*)\\s*$', 's'],
  ['(?<!\\w)\\w+x', ''],
  ['\\bfoo\\w*x', ''],
  ['\\s+x', 'y'],
  ['^"(?:[^"\\\\]|\\\\.)*"$', ''],
  ['^\\d{1,3}$', ''],
])('the test finds that /%s/%s takes linear time', (source, flags) => {
  expect(findAttack(source, flags)).toBeNull();
});

const known = new Map<string, Attack | null>();

function attackOn(source: string, flags: string): Attack | null {
  const key = `${source}/${flags}`;
  let attack = known.get(key);
  if (attack === undefined) known.set(key, (attack = findAttack(source, flags)));
  return attack;
}

function sourceFiles(): string[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.join(root, 'src', file));
}

interface Expression {
  source: string;
  flags: string;
}

/** Returns the literals in a file, and the expressions that it composes with `new RegExp`. */
function expressionsOf(file: string): Expression[] {
  const found: Expression[] = [];
  const text = readFileSync(file, 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(partsOf(node));
    if (ts.isNewExpression(node) && node.expression.getText(tree) === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      if (source) found.push({ source: textOf(source, tree), flags: flags ? textOf(flags, tree) : '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function partsOf({ text }: ts.RegularExpressionLiteral): Expression {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/**
 * Returns the value of a constant expression. A part that is known only when the program runs is replaced
 * with a letter. It's an escaped name, or the source of another expression, which is checked separately.
 */
function textOf(node: ts.Node, tree: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return partsOf(node).source;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textOf(node.expression, tree);
  if (ts.isBinaryExpression(node)) return textOf(node.left, tree) + textOf(node.right, tree);
  if (ts.isTaggedTemplateExpression(node)) {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText ?? '';
    return template.templateSpans.reduce(
      (text, span) => text + textOf(span.expression, tree) + (span.literal.rawText ?? ''),
      template.head.rawText ?? '',
    );
  }
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (text, span) => text + textOf(span.expression, tree) + span.literal.text,
      node.head.text,
    );
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source')
    return textOf(node.expression, tree);
  if (ts.isIdentifier(node)) {
    const value = constantOf(node.text, tree);
    if (value !== null) return textOf(value.node, value.tree);
  }
  return 'x';
}

/** Finds the value of a constant of the module, or of a module that it imports. */
function constantOf(name: string, tree: ts.SourceFile): { node: ts.Node; tree: ts.SourceFile } | null {
  for (const statement of tree.statements) {
    if (ts.isVariableStatement(statement)) {
      const declaration = statement.declarationList.declarations.find(
        (each) => ts.isIdentifier(each.name) && each.name.text === name,
      );
      if (declaration?.initializer) return { node: declaration.initializer, tree };
    }
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    const imported = bindings.elements.find((each) => each.name.text === name);
    const module = ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : '';
    if (!imported || !module.startsWith('.')) continue;
    const file = path.join(path.dirname(tree.fileName), module);
    return constantOf(
      imported.propertyName?.text ?? name,
      ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest),
    );
  }
  return null;
}

/** Returns the patterns of the schemas in a file. Named groups in `(?P<name>…)` are examples for RE2. */
function patternsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'pattern' && typeof each === 'string' && !each.includes('(?P<') ? [each] : patternsIn(each),
  );
}
