/** For JSON of others: what isn't of the expected type is as good as absent. */
export function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** `null` for an empty text, too. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
