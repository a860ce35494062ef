/** Reads fields of an object of the Kubernetes API, which can contain anything. */

/** Longer texts are no name, image, or version. */
const maxTextLength = 1_000;

export function fieldAt(value: unknown, ...path: string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** Null if it is missing, empty, or isn't a text of usual length. */
export function textField(value: unknown, ...path: string[]): string | null {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' && found !== '' && found.length <= maxTextLength ? found : null;
}

export function numberField(value: unknown, ...path: string[]): number | null {
  const found = fieldAt(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function listField(value: unknown, ...path: string[]): readonly unknown[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
