import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parseSync } from 'vite';
import type { VisibleText } from './visible-text.ts';

/** Text that only readers of the code see: a comment or the title of a test. */
export interface CodeText extends VisibleText {
  kind: 'comment' | 'title';
}

type Found = Omit<CodeText, 'file'>;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Comments that instruct a tool. */
const instruction = /^\s*(biome-ignore|oxlint-|@ts-|@vite-ignore|<reference|#__PURE__|!)/;

/** Returns the comments of a TypeScript file. Lines of `//` that follow each other are one comment. */
export function commentsOf(content: string, isTsx = false): Found[] {
  // This parser takes a fraction of the time that the TypeScript compiler takes to find comments.
  const { comments } = parseSync(isTsx ? 'file.tsx' : 'file.ts', content);
  const lineStarts = [0, ...Array.from(content.matchAll(/\n/g), ({ index }) => index + 1)];
  let line = 0;
  const found: (Found & { end: number; isAlone: boolean })[] = [];
  for (const { type, start, end } of comments) {
    while (line < lineStarts.length && lineStarts[line]! <= start) line += 1;
    const text = plainComment(content.slice(start, end));
    if (instruction.test(text)) continue;
    const isAlone = type === 'Line' && content.slice(lineStarts[line - 1], start).trim() === '';
    const previous = found.at(-1);
    if (isAlone && previous?.isAlone && /^\n[ \t]*$/.test(content.slice(previous.end, start))) {
      previous.text += ` ${text}`;
      previous.end = end;
      continue;
    }
    found.push({ kind: 'comment', line, text, end, isAlone });
  }
  return found.map(({ kind, line: at, text }) => ({ kind, line: at, text }));
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
  const source = ts.createSourceFile('file', content, ts.ScriptTarget.Latest);
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
