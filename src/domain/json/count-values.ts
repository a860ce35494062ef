/** Limits of a JSON text, checked before it's parsed. */
export interface JsonLimits {
  /** Maximum number of fields and items at all levels. */
  values: number;
  /** Maximum number of items of one list, or of fields of one object. */
  members: number;
  /** Maximum nesting depth. */
  depth: number;
}

export interface ValueCount {
  /** Upper bound of the number of values. Counting stops above the limit. */
  values: number;
  /** The field of the outermost object that contains the most values. */
  largestField: { name: string; items: number } | null;
  /** The limit that is exceeded, or `null`. */
  exceeded: ExceededLimit | null;
}

export type ExceededLimit =
  | { limit: 'values' | 'depth' }
  /** `path` leads to the list or object, such as `configuration.rules`. It's empty for the outermost one. */
  | { limit: 'members'; path: string; isList: boolean };

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Counts the fields and items of a JSON text without parsing it. The result is an upper bound. It's computed
 * in one pass over the bytes, which stops when a limit is exceeded. The cost of parsing and validation is
 * proportional to the number of fields and items and to the number of bytes.
 */
export function countValues(json: Uint8Array, limits: JsonLimits): ValueCount {
  let values = 1;
  let depth = 0;
  let field: Field = { nameStart: 0, nameEnd: 0, items: 0, valuesBefore: 0 };
  let largest = { ...field, values: 0 };
  let isNameNext = false;
  let exceeded: ExceededLimit | null = null;
  let isTooLong = false;
  /** State of each open list or object, by depth: its number of members, its type, and its latest name. */
  const members = new Uint32Array(limits.depth + 2);
  const isObject = new Uint8Array(limits.depth + 2);
  const nameStarts = new Uint32Array(limits.depth + 2);
  const nameEnds = new Uint32Array(limits.depth + 2);
  const isTracked = () => depth >= 0 && depth <= limits.depth;
  const endField = () => {
    const valuesOfField = values - field.valuesBefore;
    if (valuesOfField > largest.values) largest = { ...field, values: valuesOfField };
    field = { nameStart: 0, nameEnd: 0, items: 0, valuesBefore: values };
  };
  const textAt = (start: number, end: number) =>
    new TextDecoder().decode(json.subarray(start, end)).slice(0, maxNameLength);
  const pathOf = (end: number) => {
    const names: string[] = [];
    for (let each = 1; each < end && each <= maxPathLength; each++)
      if (isObject[each] === 1) names.push(textAt(nameStarts[each]!, nameEnds[each]!));
    return names.join('.');
  };

  for (let at = 0; at < json.length && values <= limits.values && !isTooLong; at++) {
    const byte = json[at];
    switch (byte) {
      case quote: {
        const start = at + 1;
        at = endOfString(json, start);
        if (isNameNext && isTracked()) {
          nameStarts[depth] = start;
          nameEnds[depth] = at;
          if (depth === 1) {
            field.nameStart = start;
            field.nameEnd = at;
          }
        }
        isNameNext = false;
        break;
      }
      case comma:
        values += 1;
        if (!isTracked()) break;
        isTooLong = ++members[depth]! > limits.members;
        if (isTooLong) exceeded ??= { limit: 'members', path: pathOf(depth), isList: isObject[depth] === 0 };
        isNameNext = isObject[depth] === 1;
        if (depth === 2) field.items += 1;
        else if (depth === 1) endField();
        break;
      case openBracket:
      case openBrace:
        values += 1;
        depth += 1;
        isNameNext = byte === openBrace;
        if (depth > limits.depth) exceeded ??= { limit: 'depth' };
        if (!isTracked()) break;
        members[depth] = 1;
        isObject[depth] = byte === openBrace ? 1 : 0;
        if (depth === 2) field.items = 1;
        break;
      case closeBracket:
      case closeBrace:
        depth -= 1;
        isNameNext = false;
        break;
      default:
    }
  }
  endField();
  const name = textAt(largest.nameStart, largest.nameEnd);
  return {
    values,
    largestField: name === '' ? null : { name, items: largest.items },
    exceeded: values > limits.values ? { limit: 'values' } : exceeded,
  };
}

/** Maximum number of characters of a name in a result, and maximum number of names in a path. */
const maxNameLength = 200;
const maxPathLength = 5;

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
