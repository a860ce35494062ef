/** `${env:NAME}`; each further `$` in front keeps one, so that `$${env:NAME}` is the text `${env:NAME}`. */
const placeholder = /(\$+)\{env:([^}]*)\}/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface FilledValues {
  value: unknown;
  /** Paths (`/notification_channels/0/url`) of texts in which a variable stands. */
  hidden: Set<string>;
  /** Variables that are not set, with the places that want them. */
  missing: Map<string, string[]>;
}

/** Puts variables of the environment into texts. Names of members stay as they are. */
export function fillEnvironment(root: unknown, env: NodeJS.ProcessEnv): FilledValues {
  const hidden = new Set<string>();
  const missing = new Map<string, string[]>();
  const fill = (value: unknown, path: string): unknown => {
    if (typeof value === 'string') {
      return value.replace(placeholder, (_, dollars: string, name: string) => {
        if (dollars.length > 1) return `${dollars.slice(1)}{env:${name}}`;
        hidden.add(path);
        const found = variableName.test(name) ? env[name] : undefined;
        if (found === undefined || found === '') missing.set(name, [...(missing.get(name) ?? []), path]);
        return found ?? '';
      });
    }
    if (Array.isArray(value)) return value.map((item, index) => fill(item, `${path}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, fill(inner, `${path}/${key}`)]),
    );
  };
  return { value: fill(root, ''), hidden, missing };
}

/** Texts as they have to stand in a file to come back unchanged. */
export function escapeEnvironment(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(placeholder, (_, dollars: string, name: string) => `$${dollars}{env:${name}}`);
  if (Array.isArray(value)) return value.map(escapeEnvironment);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, escapeEnvironment(inner)]));
}

/** Names of variables for what cannot be read back, each only once. */
export function createVariableNames(): (...parts: string[]) => string {
  const taken = new Set<string>();
  return (...parts) => {
    const words = parts.map((part) =>
      part
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toUpperCase()
        .replace(/[^A-Z0-9]+/g, '_')
        .replace(/^_+|_+$/g, ''),
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
