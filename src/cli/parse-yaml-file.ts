import { type Document, Lexer, LineCounter, Parser, parseDocument, visit, type YAMLError } from 'yaml';
import { ownValue } from '../domain/json/own-value.ts';
import { maxDepth } from '../domain/parsers/content-limits.ts';
import { escapeControls } from '../domain/text/visible-controls.ts';
import { yamlProblem } from '../domain/text/yaml-problem.ts';
import { usageError } from './cli-error.ts';

export interface ParsedYaml {
  document: Document;
  lines: LineCounter;
  value: unknown;
}

/** Parses one YAML or JSON document. Every error names the file and, if known, the line. */
export function parseYamlFile(text: string, fileName: string): ParsedYaml {
  if (isTooDeep(text))
    throw usageError(
      `No changes made. ${fileName} isn't valid: it's nested more than ${maxDepth} levels deep.`,
    );
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    throw invalidYaml(
      fileName,
      firstOfEachLine(document.errors, lines).map((error) => describeError(error, text, lines)),
    );
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // `toJS` resolves the aliases. It fails if an alias is unknown or expands to more data than fits into memory.
    const alias = findUnknownAlias(document, lines);
    throw invalidYaml(fileName, [alias ?? `  ${error instanceof Error ? error.message : ''}`]);
  }
  if (value === null || value === undefined) throw usageError(`No changes made. ${fileName} is empty.`);
  return { document, lines, value };
}

function invalidYaml(fileName: string, problems: readonly string[]): Error {
  return usageError(`No changes made. ${fileName} isn't valid YAML:\n${problems.join('\n')}`);
}

/**
 * True if the nesting exceeds the limit. Must be checked before parsing, because the library handles nesting
 * recursively and could overflow the stack.
 */
function isTooDeep(text: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    // The parser's stack also contains the document itself, so add 1 to the limit.
    if (parser.stack.length > maxDepth + 1) return true;
    Array.from(parser.next(lexeme));
  }
  return false;
}

/** Maximum number of reported errors. Further errors are usually consequences of these. */
const maxErrors = 5;

function firstOfEachLine(errors: readonly YAMLError[], lines: LineCounter): YAMLError[] {
  const seen = new Set<number>();
  return errors
    .filter(({ pos: [start] }) => {
      const { line } = lines.linePos(start);
      const isFirst = !seen.has(line);
      seen.add(line);
      return isFirst;
    })
    .slice(0, maxErrors);
}

const hints: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second document starts here. Use one file for each, with -f repeated.',
  DUPLICATE_KEY: 'this field is already set above.',
  TAB_AS_INDENT: "tabs can't indent lines. Use spaces.",
  BAD_INDENT: 'the indentation differs from that of the lines around it.',
  BLOCK_AS_IMPLICIT_KEY: 'text that contains ": " needs quotes, and each field needs its own line.',
};

/**
 * Formats an error as `line 3, column 5: MESSAGE`, followed by the source line with a caret at the column.
 */
function describeError({ code, message, pos: [start] }: YAMLError, text: string, lines: LineCounter): string {
  const { line, col } = lines.linePos(start);
  const reserved = /reserved character (\S)$/.exec(message)?.[1];
  const from = lines.lineStarts[line - 1] ?? 0;
  const whole = (text.slice(from).split(/\r?\n/, 1)[0] ?? '').replaceAll('\t', ' ');
  // Show only the part of a long line that surrounds the column.
  const cut = Math.max(0, col - 60);
  const shown = escapeControls(whole.slice(cut, cut + 100));
  // The library reports missing brackets and missing indentation as the same error, so the hint mentions both.
  const bracket = /^Flow .* sufficiently indented and end with a ([\]}])$/.exec(message)?.[1];
  const hint =
    bracket !== undefined
      ? `a ${bracket} is missing above, or this line isn't indented.`
      : reserved === undefined
        ? ownValue(hints, code)
        : `text that starts with ${reserved} needs quotes.`;
  const isIndentation = /^Sequence item without|^All (?:mapping|collection) items must start/.test(message);
  const plain = isIndentation ? hints['BAD_INDENT'] : undefined;
  return `  line ${line}, column ${col}: ${hint ?? plain ?? yamlProblem(message)}\n    ${shown}\n    ${' '.repeat(col - 1 - cut)}^`;
}

function findUnknownAlias(document: Document, lines: LineCounter): string | undefined {
  let found: string | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      const { line, col } = lines.linePos(alias.range?.[0] ?? 0);
      found = `  line ${line}, column ${col}: unresolved alias *${alias.source}. Define it with &${alias.source} before this line, or add quotes.`;
      return visit.BREAK;
    },
  });
  return found;
}
