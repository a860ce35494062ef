/** Maximum number of characters read from a text. */
const maxLength = 2_000;

/**
 * Maximum number of characters that values can add to a text. The longest image reference with a digest is
 * shorter.
 */
const maxAdded = 500;

export interface Substituted {
  text: string;
  /** True if a default was used, which a value that is set outside of the file would override. */
  usedDefault: boolean;
}

interface Expanded extends Substituted {
  /** True if every variable was replaced. */
  isComplete: boolean;
}

/**
 * Replaces `$NAME`, `${NAME}`, and `${NAME:-default}`, as in shells, Dockerfiles, and Compose files. A
 * default can contain variables, which are resolved only if the default is used. Variables without a value
 * stay as written. So do variables whose values would make the text too long: nested values can double its
 * length at each level. The message of a required variable, as in `${NAME:?message}`, is dropped.
 */
export function substituteVariables(
  text: string,
  valueOf: (name: string) => string | undefined,
): Substituted {
  const source = text.slice(0, maxLength);
  const ends = endsOfBraces(source);
  let remainingCharacters = maxAdded;
  const { text: result, usedDefault } = expand(0, source.length);
  return { text: result, usedDefault };

  function expand(from: number, to: number): Expanded {
    const expanded: Expanded = { text: '', usedDefault: false, isComplete: true };
    const starts = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(:?[-?+])?)/g;
    let at = from;
    starts.lastIndex = from;
    for (let match = starts.exec(source); match && match.index < to; match = starts.exec(source)) {
      const { index } = match;
      const [start, plain, braced = '', operator = ''] = match;
      const end = plain === undefined ? ends.get(index) : index + start.length;
      // Skip a variable whose brace isn't closed.
      if (end === undefined) continue;
      const next = plain === undefined ? end + 1 : end;
      const isKnownForm = operator !== '' || index + start.length === end;
      const replaced = isKnownForm ? replace(plain ?? braced, operator, index + start.length, end) : null;
      expanded.text +=
        source.slice(at, index) + (replaced?.isComplete ? replaced.text : source.slice(index, next));
      expanded.isComplete &&= replaced?.isComplete ?? false;
      expanded.usedDefault ||= replaced?.isComplete === true && replaced.usedDefault;
      at = next;
      starts.lastIndex = next;
    }
    expanded.text += source.slice(at, to);
    return expanded;
  }

  /**
   * Returns the replacement of a variable, or null if the variable must stay as written.
   *
   * @param from The start of the default.
   * @param to The end of the default.
   */
  function replace(name: string, operator: string, from: number, to: number): Expanded | null {
    const value = valueOf(name);
    const isSet = value !== undefined && (value !== '' || !operator.startsWith(':'));
    if (operator.endsWith('+')) {
      const isUsed = value !== undefined && value !== '';
      return isUsed ? expand(from, to) : { text: '', usedDefault: false, isComplete: true };
    }
    if (isSet) {
      if (value.length > remainingCharacters) return null;
      remainingCharacters -= value.length;
      return { text: value, usedDefault: false, isComplete: true };
    }
    if (operator.endsWith('?'))
      return { text: `\${${name}${operator}}`, usedDefault: false, isComplete: true };
    return operator.endsWith('-') ? { ...expand(from, to), usedDefault: true } : null;
  }
}

/** Returns the position of the matching `}` for the position of each `${`. */
function endsOfBraces(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: token, index } of text.matchAll(/\$\{|\}/g)) {
    if (token !== '}') open.push(index);
    else if (open.length > 0) ends.set(open.pop()!, index);
  }
  return ends;
}
