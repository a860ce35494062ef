/**
 * Change of one field by an edit, as stored: long values are truncated. `null` means that the field was
 * absent.
 */
export interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Number of characters after which a stored text is truncated. */
const maxTextLength = 200;
/** Number of characters after which the stored JSON of a list or an object is truncated. */
const maxJsonLength = 500;

/**
 * Returns the changes that an edit made to the given fields. For a created or deleted resource, it returns
 * every field that has a value.
 *
 * @param before `null` for a created resource.
 * @param after `null` for a deleted resource.
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
    const isRecorded = isEdit ? JSON.stringify(from) !== JSON.stringify(to) : !isEmpty(from) || !isEmpty(to);
    if (isRecorded) changes[name] = { from: truncate(from), to: truncate(to) };
  }
  return changes;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function truncate(value: unknown): unknown {
  if (typeof value === 'string') return cutText(value, maxTextLength);
  if (value === null || typeof value !== 'object') return value;
  const json = JSON.stringify(value);
  return json.length <= maxJsonLength ? value : cutText(json, maxJsonLength);
}

function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  // Don't split a surrogate pair, because JSON columns reject half of one.
  return `${text
    .slice(0, length)
    .toWellFormed()
    .replace(/\uFFFD$/u, '')}…`;
}
