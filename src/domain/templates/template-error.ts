import { limitMessages } from './render-budget.ts';

/** A problem in a template. Lines and columns start at 1. Both are `null` if the problem has no position. */
export interface TemplateError {
  code:
    | 'syntax'
    | 'unknown_variable'
    | 'unknown_tag'
    | 'unknown_filter'
    | 'source_too_large'
    | 'output_too_large'
    | 'output_too_deep'
    | 'too_much_work'
    | 'failed';
  message: string;
  line: number | null;
  column: number | null;
}

/** Properties that all liquidjs errors have. `originalError` is the error thrown by a tag or filter. */
interface LiquidFailure extends Error {
  token: { getPosition(): number[] };
  originalError?: Error;
}

/** Converts a liquidjs error to a message with a position. The message includes at most one line of the template. */
export function describeFailure(failure: unknown): TemplateError {
  if (failure instanceof RangeError) {
    return { code: 'too_much_work', message: 'the template is nested too deeply', line: null, column: null };
  }
  if (!isLiquidFailure(failure)) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return { code: 'failed', message: shorten(message), line: null, column: null };
  }
  const cause = failure.originalError;
  if (cause instanceof RangeError && cause.message.includes('call stack')) return describeFailure(cause);
  const message = shorten((cause?.message ?? failure.message).replace(/, line:\d+, col:\d+$/, ''));
  const [line, column] = failure.token.getPosition();
  return {
    code: errorCode(failure, message),
    message: toUserMessage(message),
    line: line ?? null,
    column: column ?? null,
  };
}

function isLiquidFailure(failure: unknown): failure is LiquidFailure {
  return failure instanceof Error && 'token' in failure && failure.token !== undefined;
}

function errorCode(failure: Error, message: string): TemplateError['code'] {
  if (message.startsWith('undefined variable')) return 'unknown_variable';
  if (message.startsWith('undefined filter')) return 'unknown_filter';
  if (/^tag ".*" not found$/.test(message)) return 'unknown_tag';
  if (message.startsWith('parse length limit')) return 'source_too_large';
  if (message.startsWith(limitMessages.output_too_large)) return 'output_too_large';
  if (message.startsWith(limitMessages.too_much_work)) return 'too_much_work';
  return failure.name === 'ParseError' || failure.name === 'TokenizationError' ? 'syntax' : 'failed';
}

function toUserMessage(message: string): string {
  const unknown = /^undefined (variable|filter): (.*)$/.exec(message);
  if (unknown) return `unknown ${unknown[1]} “${unknown[2]}”`;
  const tag = /^tag "(.*)" not found$/.exec(message);
  if (tag) return `unknown tag “${tag[1]}”`;
  return message;
}

function shorten(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
