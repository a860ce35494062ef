/** Characters of a text that are read. */
const maxLength = 2_000;

/** Characters that values can add to a text. The longest image reference with its digest has fewer. */
const maxAdded = 500;

export interface Substituted {
  text: string;
  /** Whether a default was used where a value can be set from outside. */
  usedDefault: boolean;
}

interface Expanded extends Substituted {
  /** Whether each variable was replaced. */
  isComplete: boolean;
}

/**
 * Replaces `$NAME`, `${NAME}`, and `${NAME:-default}` as shells, Dockerfiles, and Compose files have them. A default can
 * hold variables, whose values are asked for only if it is used. Variables without a value stay as written, and so do those
 * whose values would make the text too long: nested values can double its length at each level. The message of a required
 * variable, as in `${NAME:?message}`, is dropped.
 */
export function substituteVariables(
  text: string,
  valueOf: (name: string) => string | undefined,
): Substituted {
  const source = text.slice(0, maxLength);
  const ends = endsOfBraces(source);
  let left = maxAdded;
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
      // Nothing closes the brace.
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

  /** @param from where the default begins @param to where it ends */
  function replace(name: string, operator: string, from: number, to: number): Expanded | null {
    const value = valueOf(name);
    const isSet = value !== undefined && (value !== '' || !operator.startsWith(':'));
    if (operator.endsWith('+')) {
      const isUsed = value !== undefined && value !== '';
      return isUsed ? expand(from, to) : { text: '', usedDefault: false, isComplete: true };
    }
    if (isSet) {
      if (value.length > left) return null;
      left -= value.length;
      return { text: value, usedDefault: false, isComplete: true };
    }
    if (operator.endsWith('?'))
      return { text: `\${${name}${operator}}`, usedDefault: false, isComplete: true };
    return operator.endsWith('-') ? { ...expand(from, to), usedDefault: true } : null;
  }
}

/** By where each `${` is, where its `}` is. */
function endsOfBraces(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: token, index } of text.matchAll(/\$\{|\}/g)) {
    if (token !== '}') open.push(index);
    else if (open.length > 0) ends.set(open.pop()!, index);
  }
  return ends;
}
