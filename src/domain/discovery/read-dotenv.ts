import { substituteVariables } from './substitute-variables.ts';

export interface Variable {
  value: string;
  /** Line number, counted from 1. */
  line: number;
}

/** Maximum number of lines to read. Real files have a few dozen lines. */
const maxLines = 5_000;
const maxLineLength = 2_000;

/**
 * Reads the variables of a `.env` file like Docker Compose: a later line overrides an earlier one. Variables
 * whose names suggest a secret are skipped, so that a mistake in a file doesn't expose a secret.
 */
export function readDotenv(text: string): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>();
  for (const [at, whole] of text.split('\n', maxLines).entries()) {
    if (whole.length > maxLineLength) continue;
    const [, name, written = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*[=:](.*)$/.exec(whole) ?? [];
    if (name === undefined || isSecretName(name)) continue;
    variables.set(name, { value: valueOf(written.trim(), variables), line: at + 1 });
  }
  return variables;
}

/**
 * True for names of secrets, such as `DB_PASSWORD` and `API_KEY`. The names, tags, and registries of images
 * don't come from such variables.
 */
export function isSecretName(name: string): boolean {
  return /(?:PASS(?:WORD|WD|PHRASE)?|PWD|SECRET|TOKEN|CREDENTIALS?|KEY)$/i.test(name);
}

/**
 * Returns the value of a variable. Within single quotes, references to other variables aren't replaced.
 * Outside of quotes, ` #` starts a comment.
 */
function valueOf(written: string, variables: ReadonlyMap<string, Variable>): string {
  const [quote] = written;
  const closing = quote === '"' ? /"(?=$|\s*#)/ : quote === "'" ? /'(?=$|\s*#)/ : null;
  const end = closing === null ? -1 : written.slice(1).search(closing);
  const quoted = end < 0 ? undefined : written.slice(1, end + 1);
  if (quote === "'" && quoted !== undefined) return quoted;
  const comment = written.search(/(?:^|\s)#/);
  const text = quoted ?? (comment < 0 ? written : written.slice(0, comment).trimEnd());
  return substituteVariables(text, (name) => variables.get(name)?.value).text;
}
