/** Returns an object from third-party JSON. In this file, a value of an unexpected type is treated as missing. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a string. Returns `null` for other types and for an empty string. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
