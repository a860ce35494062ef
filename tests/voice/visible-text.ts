import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';
import { isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';

export interface VisibleText {
  file: string;
  line: number;
  text: string;
}

/** A kind of file, and the function that extracts its user-visible text. */
interface TextSource {
  name: string;
  globs: string[];
  exclude?: RegExp;
  extract(file: string, content: string): Omit<VisibleText, 'file'>[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Element attributes whose values aren't shown to users. */
const silentAttributes = new Set([
  'className',
  'id',
  'key',
  'name',
  'to',
  'href',
  'type',
  'd',
  'viewBox',
  'rel',
]);

/**
 * True if a literal is never shown to users, because it is a module name, a type, a key, or an operand of a comparison.
 */
function isForTheProgram(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent))
    return true;
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  if (ts.isJsxAttribute(parent)) return silentAttributes.has(parent.name.getText());
  return (
    ts.isBinaryExpression(parent) &&
    [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      parent.operatorToken.kind,
    )
  );
}

/** True if a string is a path, such as `/alerts/${}` or `./pages/alerts/alert-page.tsx`. */
const isPath = (text: string) => /^\.{0,2}\/\S*$/.test(text);

/** Returns the literals and the element text of TypeScript, with `${}` in place of expressions. */
export function typescriptTexts(file: string, content: string): Omit<VisibleText, 'file'>[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: Omit<VisibleText, 'file'>[] = [];
  const add = (node: ts.Node, text: string) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    if (/[a-z]/i.test(plain) && !isPath(plain)) found.push({ line: line + 1, text: plain });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add(node, node.text);
    else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (!isForTheProgram(node)) add(node, node.text);
    } else if (ts.isTemplateExpression(node)) {
      add(node, [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('${}'));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** True if a string is a PostgreSQL or shell statement rather than a sentence. */
const isCode = (text: string) =>
  /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|ALTER|CREATE|LOCK|NULL)\b|=>|;\s*(do|then)\b/.test(text);

/**
 * Returns the messages of the program: literals with at least two words, except names, keys, and statements.
 */
function programTexts(file: string, content: string): Omit<VisibleText, 'file'>[] {
  return typescriptTexts(file, content).filter(({ text }) => /[a-z] [a-z$]/i.test(text) && !isCode(text));
}

/** Returns the descriptions, summaries, and titles of the contract. */
export function contractTexts(_file: string, content: string): Omit<VisibleText, 'file'>[] {
  const lines = new LineCounter();
  const found: Omit<VisibleText, 'file'>[] = [];
  visit(parseDocument(content, { lineCounter: lines }), {
    Pair(_key, { key, value }, path) {
      const named =
        isScalar(key) && ['description', 'summary', 'title', 'detail', 'message'].includes(String(key.value));
      if (named && isMap(path.at(-1)) && isScalar(value) && typeof value.value === 'string')
        found.push({
          line: lines.linePos(value.range![0]).line,
          text: value.value.replace(/\s+/g, ' ').trim(),
        });
    },
  });
  return found;
}

/** Returns lines of Markdown without code. */
export function proseTexts(_file: string, content: string): Omit<VisibleText, 'file'>[] {
  let isInCode = false;
  return content.split('\n').flatMap((raw, index) => {
    if (/^\s*```/.test(raw)) isInCode = !isInCode;
    const text = raw.replaceAll(/`[^`]*`|\]\([^)]*\)|<!--.*?-->/g, '``').trim();
    return isInCode || !/[a-z]/i.test(text) ? [] : [{ line: index + 1, text }];
  });
}

const sources: TextSource[] = [
  {
    name: 'the web page',
    globs: ['web/src/**/*.{ts,tsx}'],
    exclude: /\.test\.tsx?$/,
    extract: typescriptTexts,
  },
  {
    name: 'the program',
    globs: ['src/**/*.ts'],
    exclude: /\.test\.ts$|-fixture\.ts$|^src\/generated\//,
    extract: programTexts,
  },
  { name: 'the contract', globs: ['spec/**/*.yaml'], extract: contractTexts },
  {
    name: 'the documentation',
    globs: ['*.md', 'docs/*.md'],
    // The numbers and their names in this file are results of test runs, not prose.
    exclude: /^docs\/reliability\.md$/,
    extract: proseTexts,
  },
];

/** Returns all text that users see, from every kind of file. */
export function visibleTexts(): VisibleText[] {
  return sources.flatMap(({ globs, exclude, extract }) =>
    globSync(globs, { cwd: root })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => !exclude?.test(file))
      .sort()
      .flatMap((file) =>
        extract(file, readFileSync(path.join(root, file), 'utf8')).map((found) => ({ file, ...found })),
      ),
  );
}
