/** Characters of a text that are read. */
const maxLength = 2_000;

/** Characters that values can add to a text. The longest image reference with its digest has fewer. */
const maxAdded = 500;

export interface Substituted {
  text: string;
  /** Whether a default was used where a value can be set from outside. */
  usedDefault: boolean;
}

/**
 * Replaces `$NAME`, `${NAME}`, and `${NAME:-default}` as shells, Dockerfiles, and Compose files have them. Variables
 * without a value stay as written, and so do those whose values would make the text too long: nested values can double its
 * length at each level.
 */
export function substituteVariables(
  text: string,
  valueOf: (name: string) => string | undefined,
): Substituted {
  let usedDefault = false;
  let left = maxAdded;
  const within = (value: string, whole: string) => {
    if (value.length > left) return whole;
    left -= value.length;
    return value;
  };
  const result = text
    .slice(0, maxLength)
    .replaceAll(
      /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?:(:?[-?+])([^${}]*))?\})/g,
      (
        whole,
        plain: string | undefined,
        braced: string | undefined,
        operator: string | undefined,
        word = '',
      ) => {
        const value = valueOf(plain ?? braced ?? '');
        if (operator?.endsWith('+')) return value === undefined || value === '' ? '' : word;
        if (value !== undefined && (value !== '' || !operator?.startsWith(':'))) return within(value, whole);
        if (!operator?.endsWith('-')) return whole;
        usedDefault = true;
        return word;
      },
    );
  return { text: result, usedDefault };
}
