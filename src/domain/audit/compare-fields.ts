/** What an edit did to one field, as it is kept: long values are cut. `null` stands for a field that wasn't there. */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Characters of a text that are kept. */
const maxTextLength = 200;
/** Characters of the JSON of a list or an object that are kept. */
const maxJsonLength = 500;

/**
 * Which of the named fields an edit changed, and how. Of what was created or deleted: every field that has a value.
 *
 * @param before `null` for what was created
 * @param after `null` for what was deleted
 */
export function compareFields(
  before: Fields | null,
  after: Fields | null,
  names: Iterable<string>,
): Record<string, FieldChange> {
  const changes: Record<string, FieldChange> = {};
  for (const name of names) {
    const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
    const isEdit = before !== null && after !== null;
    const isWorthIt = isEdit ? JSON.stringify(from) !== JSON.stringify(to) : !isEmpty(from) || !isEmpty(to);
    if (isWorthIt) changes[name] = { from: cut(from), to: cut(to) };
  }
  return changes;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, maxTextLength);
  if (value === null || typeof value !== 'object') return value;
  const json = JSON.stringify(value);
  return json.length <= maxJsonLength ? value : cutText(json, maxJsonLength);
}

function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  // Never half of a surrogate pair, which no JSON column takes.
  return `${text
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')}…`;
}
