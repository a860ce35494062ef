export interface Substituted {
  text: string;
  /** Whether a default was used where a value can be set from outside. */
  usedDefault: boolean;
}

/**
 * Replaces `$NAME`, `${NAME}`, and `${NAME:-default}` as shells, Dockerfiles, and Compose files have them. Variables
 * without a value stay as written.
 */
export function substituteVariables(
  text: string,
  valueOf: (name: string) => string | undefined,
): Substituted {
  let usedDefault = false;
  const result = text
    .slice(0, 2_000)
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
        if (value !== undefined && (value !== '' || !operator?.startsWith(':'))) return value;
        if (!operator?.endsWith('-')) return whole;
        usedDefault = true;
        return word;
      },
    );
  return { text: result, usedDefault };
}
