import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { VisibleText } from './visible-text.ts';

/** A text that only readers of the code see: a comment or the title of a test. */
export interface CodeText extends VisibleText {
  kind: 'comment' | 'title';
}

type Found = Omit<CodeText, 'file'>;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Comments that instruct a tool. */
const instruction = /^\s*(biome-ignore|oxlint-|@ts-|@vite-ignore|<reference|#__PURE__|!)/;

/** Returns the comments of a TypeScript file. Lines of `//` that follow each other are one comment. */
export function commentsOf(content: string, isTsx = false): Found[] {
  const kind = isTsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile('file', content, ts.ScriptTarget.Latest, true, kind);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) return children.forEach(visit);
    for (const range of ts.getLeadingCommentRanges(content, node.pos) ?? []) ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(content, node.pos) ?? []) ranges.set(range.pos, range);
  };
  visit(source);
  const found: (Found & { end: number; isAlone: boolean })[] = [];
  for (const { pos, end, kind: style } of [...ranges.values()].toSorted(
    (one, other) => one.pos - other.pos,
  )) {
    const isLine = style === ts.SyntaxKind.SingleLineCommentTrivia;
    const text = plainComment(content.slice(pos, end));
    if (instruction.test(text)) continue;
    const isAlone = isLine && content.slice(content.lastIndexOf('\n', pos) + 1, pos).trim() === '';
    const previous = found.at(-1);
    if (isAlone && previous?.isAlone && /^\n[ \t]*$/.test(content.slice(previous.end, pos))) {
      previous.text += ` ${text}`;
      previous.end = end;
      continue;
    }
    const { line } = source.getLineAndCharacterOfPosition(pos);
    found.push({ kind: 'comment', line: line + 1, text, end, isAlone });
  }
  return found.map(({ kind: each, line, text }) => ({ kind: each, line, text }));
}

function plainComment(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
    .replace(/\n\s*\* ?/g, '\n')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the titles of the tests in a file, and of the groups that they are in. */
export function titlesOf(content: string): Found[] {
  const source = ts.createSourceFile('file', content, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(test|it|describe)\b/.test(calledName(node.expression))) {
      const [title] = node.arguments;
      if (
        title &&
        node.arguments.length > 1 &&
        (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))
      ) {
        const { line } = source.getLineAndCharacterOfPosition(title.getStart(source));
        found.push({ kind: 'title', line: line + 1, text: title.getText(source).slice(1, -1) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function calledName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return calledName(expression.expression);
  return ts.isTaggedTemplateExpression(expression) ? calledName(expression.tag) : '';
}

/** Returns all comments and test titles of the repository. */
export function codeTexts(): CodeText[] {
  const files = globSync(
    ['src', 'web/src', 'tests', 'scripts', 'benchmarks'].map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root, exclude: (name) => name.includes('generated') || name.includes('node_modules') },
  ).toSorted();
  return files.flatMap((file) => {
    const content = readFileSync(path.join(root, file), 'utf8');
    const texts = [
      ...commentsOf(content, file.endsWith('x')),
      ...(/\.test\.tsx?$/.test(file) ? titlesOf(content) : []),
    ];
    return texts.map((text) => ({ file, ...text }));
  });
}
