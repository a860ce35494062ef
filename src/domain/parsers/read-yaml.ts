import { Composer, type Document, Lexer, Parser } from 'yaml';
import { yamlProblem } from '../text/yaml-problem.ts';
import { createTooDeepFailure, maxDepth } from './content-limits.ts';
import type { DocumentTree } from './document-tree.ts';
import { failure, type ParseFailure } from './parse-result.ts';
import { readSimpleYaml } from './read-simple-yaml.ts';
import { viewYamlDocument } from './yaml-tree.ts';

/**
 * Maximum number of YAML tokens in one file, which is about 2.5 MiB of ordinary YAML. Measured: 1 to 2 µs and
 * 160 to 300 bytes per token. Without a limit, 5 MiB of `- a` (6.5 million tokens) took 9 s and 1.1 GB.
 */
const maxTokens = 600_000;

/**
 * Maximum number of directives. Real files have one or two, and each one can cause a warning with an expensive stack
 * trace.
 */
const maxDirectives = 100;

/**
 * Yields the documents of a YAML stream one at a time, so documents after the requested one aren't read. If
 * the stream can't be read further, the last item is a failure.
 */
export function* readYaml(content: string): Generator<{ ok: true; tree: DocumentTree } | ParseFailure, void> {
  const control = controlCharacters.exec(content);
  if (control) {
    const code = control[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase();
    const { line, column } = placeOf(content, control.index);
    const problem = `contains control character U+${code}`;
    yield {
      ...failure('content', `the content isn't valid YAML: line ${line}, column ${column} ${problem}`),
      syntax: { line, problem: `It ${problem}` },
    };
    return;
  }
  const tree = readSimpleYaml(content);
  if (tree !== null) {
    yield { ok: true, tree };
    return;
  }
  // The failsafe schema leaves every scalar as written: 1.10, 0x1F, 1.0. Duplicate keys are detected only
  // along the path, because the library compares every key with every other key.
  const composer = new Composer({
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  let directives = 0;
  try {
    for (const token of readTokens(content)) {
      for (const document of composer.next(token)) {
        const reading = toReading(document, content);
        yield reading;
        if (!reading.ok) return;
      }
      if (token.type === 'error') break;
      if (token.type === 'directive' && ++directives > maxDirectives) {
        throw new LimitError(
          failure('content', `the content has more than ${maxDirectives} YAML directives (lines with %)`),
        );
      }
    }
    for (const document of composer.end(true, content.length)) yield toReading(document, content);
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    yield error.failure;
  }
}

/** Combines the lexer and the parser of the library, and enforces the limits between them. */
function* readTokens(content: string): ReturnType<Parser['parse']> {
  const parser = new Parser();
  let tokens = 0;
  for (const lexeme of new Lexer().lex(content)) {
    tokens += 1;
    if (tokens > maxTokens) {
      throw new LimitError(
        failure('content', `the content has more than ${maxTokens} YAML tokens (words and symbols)`),
      );
    }
    // The stack also contains the document, hence the extra 1.
    if (parser.stack.length > maxDepth + 1) throw new LimitError(createTooDeepFailure());
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}

class LimitError extends Error {
  readonly failure: ParseFailure;

  constructor(reason: ParseFailure) {
    super(reason.message);
    this.failure = reason;
  }
}

function toReading(
  document: Document.Parsed,
  content: string,
): { ok: true; tree: DocumentTree } | ParseFailure {
  const [error] = document.errors;
  if (!error) return { ok: true, tree: viewYamlDocument(document) };
  const { line, column } = placeOf(content, error.pos[0]);
  const problem = yamlProblem(error.message).slice(0, 200).toWellFormed();
  return {
    ...failure('content', `the content isn't valid YAML: line ${line}, column ${column}: ${problem}`),
    syntax: { line, problem },
  };
}

/** Control characters that YAML forbids. The library uses some of them as internal markers. */
const controlCharacters = /(?![\t\n\r\x7F-\x9F])\p{Cc}/u;

function placeOf(content: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = content.indexOf('\n'); at !== -1 && at < offset; at = content.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}
