/**
 * Reads fields of an object from the Kubernetes API or the Docker API. The object isn't validated, so its
 * fields can have any type.
 */

/** Maximum length of a text field. Names, images, and versions are shorter. */
const maxTextLength = 1_000;

export function fieldAt(value: unknown, ...path: string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** Returns a text field, or `null` if the field is missing, empty, too long, or not a string. */
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
