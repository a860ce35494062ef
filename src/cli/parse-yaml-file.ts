import { type Document, Lexer, LineCounter, Parser, parseDocument } from 'yaml';
import { maxDepth } from '../domain/parsers/content-limits.ts';
import { usageError } from './cli-error.ts';

export interface ParsedYaml {
  document: Document;
  lines: LineCounter;
  value: unknown;
}

/** Parses one YAML or JSON document. Every error names the file and, where there is one, the line. */
export function parseYamlFile(text: string, fileName: string): ParsedYaml {
  if (isTooDeep(text))
    throw usageError(`${fileName} isn't valid: it's nested more than ${maxDepth} levels deep.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const [broken] = document.errors;
  if (broken) {
    const hint = hints[broken.code];
    const line = broken.linePos?.[0].line ?? 1;
    throw usageError(
      hint === undefined
        ? `${fileName} isn't valid YAML: ${broken.message}`
        : `${fileName} isn't valid: line ${line}: ${hint}`,
    );
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Aliases are followed only now: one may lead nowhere, or to more than fits into memory.
    throw usageError(`${fileName} isn't valid YAML: ${error instanceof Error ? error.message : ''}`);
  }
  if (value === null || value === undefined) throw usageError(`${fileName} is empty.`);
  return { document, lines, value };
}

/** Asked first, because the library composes a document level by level on the stack. */
function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // The document is in the stack as well.
    if (parser.stack.length > maxDepth + 1) return true;
    Array.from(parser.next(lexeme));
  }
  return false;
}

const hints: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document starts here. Use one file for each, with -f repeated.',
  DUPLICATE_KEY: 'this field is already set above.',
};
