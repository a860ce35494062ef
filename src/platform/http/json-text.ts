/**
 * A field of a body as JSON that is valid and was not parsed on the server's thread (`x-text-fields` of the contract):
 * for lists that go into the database as they are.
 */
export class JsonText {
  readonly json: string;
  readonly count: number;
  /** Names of the fields that every item has. */
  readonly commonFields: readonly string[];

  constructor({ json, count, commonFields }: Pick<JsonText, 'json' | 'count' | 'commonFields'>) {
    this.json = json;
    this.count = count;
    this.commonFields = commonFields;
  }

  static of(items: readonly object[]): JsonText {
    const [first, ...others] = items;
    const commonFields = Object.keys(first ?? {}).filter((name) =>
      others.every((item) => Object.hasOwn(item, name)),
    );
    return new JsonText({ json: JSON.stringify(items), count: items.length, commonFields });
  }
}

/** The text of a field that the contract lists in `x-text-fields`. The types of the contract know it as a list. */
export function jsonTextOf(field: unknown): JsonText {
  if (!(field instanceof JsonText)) throw new TypeError('the field is not one of x-text-fields');
  return field;
}
