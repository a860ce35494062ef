/**
 * Matches `${env:NAME}`. An additional `$` escapes a reference, so `$${env:NAME}` is the text `${env:NAME}`.
 */
const placeholder = /(\$+)\{env:([^}]*)\}/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** True if the text is a single reference without other text. */
export function isReference(text: string): boolean {
  return /^\$\{env:[^}]*\}$/.test(text);
}

/** Path of a string in a file, for example `['notification_channels', 0, 'url']`. */
export type TextPath = readonly (string | number)[];

/**
 * A string that contains references to variables: as written in the file, and with the references replaced by
 * values.
 */
export interface ResolvedText {
  written: string;
  filled: string;
  /** Values by variable name. */
  values: ReadonlyMap<string, string>;
}

export interface SubstitutedValues {
  value: unknown;
  texts: ResolvedText[];
  /** Variables that are unset or empty, with the paths that refer to them. */
  missing: Map<string, TextPath[]>;
  /** References in places that don't allow them, as written. They aren't replaced. */
  misplaced: { reference: string; path: TextPath }[];
}

/**
 * Replaces references with the values of environment variables where `isAllowed` permits. Field names are
 * unchanged.
 */
export function substituteEnvironment(
  root: unknown,
  env: NodeJS.ProcessEnv,
  isAllowed: (path: TextPath) => boolean,
): SubstitutedValues {
  const texts: ResolvedText[] = [];
  const missing: SubstitutedValues['missing'] = new Map();
  const misplaced: SubstitutedValues['misplaced'] = [];

  function fillText(written: string, path: TextPath): string {
    const values = new Map<string, string>();
    const filled = written.replace(placeholder, (reference, dollars: string, name: string) => {
      if (dollars.length > 1) return `${dollars.slice(1)}{env:${name}}`;
      if (!isAllowed(path)) {
        misplaced.push({ reference, path });
        return reference;
      }
      const found = variableName.test(name) ? env[name] : undefined;
      if (found === undefined || found === '') {
        missing.set(name, [...(missing.get(name) ?? []), path]);
        return '';
      }
      values.set(name, found);
      return found;
    });
    if (values.size > 0) texts.push({ written, filled, values });
    return filled;
  }

  function fill(value: unknown, path: TextPath): unknown {
    if (typeof value === 'string') return fillText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fill(inner, [...path, key])]),
    );
  }

  return { value: fill(root, []), texts, missing, misplaced };
}

/** Escapes all strings, so that reading the file returns them unchanged. */
export function escapeEnvironmentReferences(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(placeholder, (_, dollars: string, name: string) => `$${dollars}{env:${name}}`);
  if (Array.isArray(value)) return value.map(escapeEnvironmentReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, escapeEnvironmentReferences(inner)]),
  );
}

/** Returns a function that creates unique variable names for values that the export can't include. */
export function createVariableNamer(): (...parts: string[]) => string {
  const taken = new Set<string>();
  return (...parts) => {
    const words = parts.map((part) =>
      part
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toUpperCase()
        .replace(/[^A-Z0-9]+/g, '_')
        .replace(/^_|_$/g, ''),
    );
    const base = words.filter((word) => word !== '').join('_');
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}_${count}`;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
}
