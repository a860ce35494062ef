/**
 * A field of a body (`x-text-fields` in the contract) as valid JSON text that wasn't parsed on the server's thread.
 * It's used for lists that are written to the database unchanged.
 */
export class JsonText {
  readonly json: string;
  readonly count: number;
  /** Names of the fields that all items have. */
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

/**
 * Returns the text of a field that the contract lists in `x-text-fields`. In the types of the contract, the
 * field is a list.
 */
export function jsonTextOf(field: unknown): JsonText {
  if (!(field instanceof JsonText)) throw new TypeError('the field is not one of x-text-fields');
  return field;
}
