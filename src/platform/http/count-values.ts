export interface ValueCount {
  /** Upper bound of the number of values. Counting stops above the limit. */
  values: number;
  /** The field of the outermost object that contains the most values. */
  largestField: { name: string; items: number } | null;
}

/**
 * Maximum number of members of one list or object. Parsing an object of a million fields takes seconds; the
 * longest allowed list has 10,000 items.
 */
const maxMembers = 20_000;
/**
 * Maximum nesting depth. It's far beyond the depth that `checkTexts` accepts, so that bodies with excessive
 * nesting reach its specific error.
 */
const maxDepth = 1_000;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Counts the fields and items of a JSON text without parsing it. The result is an upper bound from one pass
 * over the bytes, which ends when it exceeds `limit`. The cost of parsing and validation is proportional to
 * this number and to the bytes.
 */
export function countValues(json: Uint8Array, limit: number): ValueCount {
  let values = 1;
  let depth = 0;
  let field: Field = { nameStart: 0, nameEnd: 0, items: 0, valuesBefore: 0 };
  let largest = { ...field, values: 0 };
  let isNameNext = false;
  /** Number of members of each open list or object, by depth. */
  const members = new Uint32Array(maxDepth + 1);
  const endField = () => {
    const valuesOfField = values - field.valuesBefore;
    if (valuesOfField > largest.values) largest = { ...field, values: valuesOfField };
    field = { nameStart: 0, nameEnd: 0, items: 0, valuesBefore: values };
  };

  for (let at = 0; at < json.length && values <= limit; at++) {
    const byte = json[at];
    switch (byte) {
      case quote: {
        const start = at + 1;
        at = endOfString(json, start);
        if (isNameNext) {
          field.nameStart = start;
          field.nameEnd = at;
          isNameNext = false;
        }
        break;
      }
      case comma:
        values += 1;
        if (++members[depth]! > maxMembers) values = limit + 1;
        if (depth === 2) field.items += 1;
        else if (depth === 1) {
          endField();
          isNameNext = largest.nameEnd > 0;
        }
        break;
      case openBracket:
      case openBrace:
        values += 1;
        depth += 1;
        if (depth > maxDepth) values = limit + 1;
        else members[depth] = 1;
        if (depth === 1) isNameNext = byte === openBrace;
        else if (depth === 2) field.items = 1;
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
        break;
      default:
    }
  }
  endField();
  const name = new TextDecoder().decode(json.subarray(largest.nameStart, largest.nameEnd)).slice(0, 200);
  return { values, largestField: name === '' ? null : { name, items: largest.items } };
}

/** A field of the outermost object: the position of its name, and the size of its value. */
interface Field {
  nameStart: number;
  nameEnd: number;
  items: number;
  valuesBefore: number;
}

/** Returns the position of the closing quote of the string that starts at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
