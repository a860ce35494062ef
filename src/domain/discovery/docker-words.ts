import { substituteVariables } from './substitute-variables.ts';

/** Splits the arguments of `ARG` and `ENV` at spaces outside of quotes. The words keep their quotes. */
export function splitDockerWords(text: string): string[] {
  return text.match(/(?:"(?:\\.|[^"\\]){0,1000}"|'[^']{0,1000}'|\\.|[^\s"'\\]|["'\\])+/gs) ?? [];
}

/**
 * Replaces variables and removes quotes from a word as Docker does: quotes can enclose any part of a word,
 * and variables in single quotes stay as written.
 *
 * @see https://docs.docker.com/reference/dockerfile/#environment-replacement
 */
export function expandDockerWord(
  word: string,
  valueOf: (name: string) => string | undefined,
): { text: string; usedDefault: boolean } {
  let text = '';
  let usedDefault = false;
  let pending = '';
  const flush = () => {
    const expanded = substituteVariables(pending, valueOf);
    text += expanded.text;
    usedDefault ||= expanded.usedDefault;
    pending = '';
  };
  for (const part of word.match(/"[^"]*"|'[^']*'|\$\{[^{}]*\}|[^"'$]+|./gs) ?? []) {
    if (/^'.*'$/s.test(part) && part.length > 1) {
      flush();
      text += part.slice(1, -1);
      // The default of a variable can contain quotes as well.
    } else pending += part.startsWith('"') ? part.replaceAll('"', '') : part.replaceAll(/["']/g, '');
  }
  flush();
  return { text, usedDefault };
}
