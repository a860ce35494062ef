export interface ValueCount {
  /** At least as many as there are; not counted beyond the limit. */
  values: number;
  /** Of the fields of the outermost object, the one with most values. */
  largestField: { name: string; items: number } | null;
}

/** Of one list or object. Parsing a single object of a million fields takes seconds; the longest list has 10,000. */
const maxMembers = 20_000;
/** Far deeper than what is read, so that what is too deep is said to be so. */
const maxDepth = 1_000;

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Counts the fields and items of a JSON text without reading it: an upper bound, in one pass over the bytes, that ends as
 * soon as it is above `limit`. What follows (parsing, validation) costs in proportion to this number and to the bytes.
 */
export function countValues(json: Uint8Array, limit: number): ValueCount {
  let values = 1;
  let depth = 0;
  let field: Field = { nameStart: 0, nameEnd: 0, items: 0, valuesBefore: 0 };
  let largest = { ...field, values: 0 };
  let isNameNext = false;
  /** Of the lists and objects that are open, by their depth. */
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

/** A field of the outermost object: where its name stands, and what is in it. */
interface Field {
  nameStart: number;
  nameEnd: number;
  items: number;
  valuesBefore: number;
}

/** Where the string that begins here has its closing quote. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}
