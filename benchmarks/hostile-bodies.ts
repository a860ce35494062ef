import { type ContractOperation, type Json, resolveRef } from '../tests/contract/contract-operations.ts';

/** A body that takes as long to process as its schema and the limit of its operation allow. */
export interface HostileBody {
  name: string;
  json: Buffer;
  isValid: boolean;
}

/**
 * Returns bodies for one operation: the largest valid ones, and invalid ones that are rejected as late as
 * possible.
 */
export function hostileBodies(operation: ContractOperation, maxBytes: number): HostileBody[] {
  const { side } = operation;
  const schema = resolveRef(side, operation.body!.schema);
  const resolve = (part: Json) => resolveRef(side, part);
  const valid = (text: Text, choice = 0) =>
    writeValid(schema, resolve, { text, choice, bytes: maxBytes - 1_000 });
  const bodies: HostileBody[] = [];
  const add = (name: string, json: string | Buffer, isValid = false) => {
    const bytes = typeof json === 'string' ? Buffer.from(json) : json;
    if (bytes.length <= maxBytes) bodies.push({ name, json: bytes, isValid });
  };
  const fill = (unit: (index: number) => string, around: (units: string) => string, most = Infinity) => {
    const units: string[] = [];
    let bytes = around('').length;
    for (let index = 0; index < most; index++) {
      const next = unit(index);
      bytes += Buffer.byteLength(next) + 1;
      if (bytes > maxBytes) break;
      units.push(next);
    }
    return around(units.join(','));
  };

  for (const [name, text] of Object.entries(texts)) {
    add(`valid, ${name}`, valid(text), true);
    add(`valid, ${name}, by the last choice`, valid(text, 9), true);
  }
  for (const most of [99, 1_990, Infinity]) {
    const count = most === Infinity ? 'as many as fit' : String(most);
    add(
      `${count} unknown fields`,
      fill(
        (index) => `"${index.toString(36)}":0`,
        (units) => `{${units}}`,
        most,
      ),
    );
    add(
      `${count} times the same field`,
      fill(
        () => '"name":0',
        (units) => `{${units}}`,
        most,
      ),
    );
  }
  add('deep', `{"name":${'['.repeat(maxBytes / 2 - 20)}${']'.repeat(maxBytes / 2 - 20)}}`);
  add('white space', `${' '.repeat(maxBytes - 2)}{}`);
  add('not JSON at its end', `${valid(texts.escaped).slice(0, -1)}x`);
  add('not UTF-8 at its end', Buffer.concat([Buffer.from(valid(texts.long)), Buffer.from([0xff])]));

  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const half = maxBytes - 200;
  for (const [field, part] of Object.entries(properties)) {
    const of = (value: string) => `{"${field}":${value}}`;
    const { type } = resolve(part);
    add(`${field}: a text of escapes`, of(`"${'\\u0061'.repeat(half / 6)}"`));
    add(`${field}: a text of pairs`, of(`"${'\\ud83d\\ude00'.repeat(half / 12)}"`));
    add(`${field}: a text that nearly fits`, of(`"${'a'.repeat(half)}@ @"`));
    add(`${field}: white space`, of(`"${' '.repeat(half)}"`));
    add(`${field}: a long number`, of(`1.${'4'.repeat(half)}`));
    add(`${field}: a date that nearly is one`, of(`"2026-01-01T00:00:00.${'0'.repeat(half)}"`));
    if (![type].flat().some((each) => each === 'array' || each === 'object' || each === undefined)) continue;
    for (const most of [90, 1_980, 19_000, Infinity]) {
      const count = most === Infinity ? 'as many as fit' : String(most);
      const list = (unit: (index: number) => string) => fill(unit, (units) => of(`[${units}]`), most);
      add(
        `${field}: ${count} empty objects`,
        list(() => '{}'),
      );
      add(
        `${field}: ${count} texts`,
        list((index) => `"${index.toString(36)}"`),
      );
      add(
        `${field}: ${count} equal texts`,
        list(() => '"moderate"'),
      );
      add(
        `${field}: ${count} numbers`,
        list(() => '1e308'),
      );
      add(
        `${field}: ${count} objects of unknown fields`,
        list((index) => `{"a${index}":{}}`),
      );
      const names = (index: number) => `"${'a'.repeat(200)}${index} ":"é"`;
      add(
        `${field}: ${count} fields`,
        fill(names, (units) => of(`{${units}}`), most),
      );
      add(
        `${field}: ${count} releases`,
        list(() => '{"releases":[{}]}'),
      );
    }
  }
  return bodies;
}

type Text = (schema: Json, maxLength: number) => string;

/** Generators of string values, as JSON. */
const texts = {
  short: () => '"a"',
  long: (_schema, maxLength) => JSON.stringify('é'.repeat(Math.min(maxLength, 100_000))),
  escaped: (_schema, maxLength) => `"${'\\u00e9'.repeat(Math.min(maxLength, 100_000))}"`,
} as const satisfies Record<string, Text>;

/** Strings that match the patterns of the contract. A new pattern requires a new string here. */
const fitting: readonly [pattern: RegExp, text: string][] = [
  [/^\^\[0-9a-f\]\{40\}/, 'a'.repeat(64)],
  [/^\^\[a-z0-9_\]\+/, `${'a'.repeat(49)}:${'a'.repeat(49)}`],
  [/@/, `${'a'.repeat(200)}@example.org`],
  [/^\^\[\\x2[01]/, 'a'.repeat(250)],
  [/A-Za-z/, 'a'.repeat(60)],
  [/a-z/, 'a'.repeat(60)],
];

function writeValid(
  schema: Json,
  resolve: (part: Json) => Json,
  { text, choice, bytes }: { text: Text; choice: number; bytes: number },
): string {
  let left = bytes;
  const write = (part: Json): string => {
    const resolved = resolve(part);
    const choices = (resolved['anyOf'] ?? resolved['oneOf']) as Json[] | undefined;
    if (choices) return write(choices[Math.min(choice, choices.length - 1)]!);
    const { enum: values, pattern, format, maxLength, type } = resolved;
    if (Array.isArray(values)) return spend(JSON.stringify(values.at(-1)));
    switch ([type].flat()[0]) {
      case 'string': {
        if (format === 'date-time') return spend('"2099-01-01T00:00:00.123456789+14:00"');
        const fits = fitting.find(([known]) => typeof pattern === 'string' && known.test(pattern));
        if (fits) return spend(JSON.stringify(fits[1].slice(0, Number(maxLength ?? 1_000))));
        return spend(text(resolved, Math.min(Number(maxLength ?? 100), Math.max(1, Math.floor(left / 8)))));
      }
      case 'integer':
        return spend(String(Number(resolved['maximum'] ?? Number.MAX_SAFE_INTEGER)));
      case 'boolean':
        return spend('true');
      case 'array': {
        const { maxItems, items, uniqueItems } = resolved as {
          maxItems: number;
          items: Json;
          uniqueItems?: boolean;
        };
        const known = resolve(items)['enum'] as unknown[] | undefined;
        if (uniqueItems && known) return spend(JSON.stringify(known.slice(0, maxItems)));
        return many(maxItems, () => write(items), '[]');
      }
      case 'object': {
        const {
          properties = {},
          additionalProperties: rest,
          maxProperties = 0,
        } = resolved as {
          properties?: Record<string, Json>;
          additionalProperties?: Json | boolean;
          maxProperties?: number;
        };
        // Write lists last, because they use up the remaining bytes.
        const isList = (value: Json) => [resolve(value)['type']].flat().includes('array');
        const known = Object.entries(properties).toSorted(
          ([, a], [, b]) => Number(isList(a)) - Number(isList(b)),
        );
        const fields = known.map(([name, value]) => `"${name}":${write(value)}`);
        if (typeof rest !== 'object') return `{${fields.join(',')}}`;
        return many(maxProperties, (index) => `"a${index}":${write(rest)}`, '{}');
      }
      default:
        return spend('0');
    }
  };
  const spend = (json: string): string => {
    left -= Buffer.byteLength(json) + 1;
    return json;
  };
  const many = (most: number, one: (index: number) => string, [open, close]: string | string[]): string => {
    const parts: string[] = [];
    for (let index = 0; index < most && left > 0; index++) {
      const before = left;
      const part = one(index);
      // Stop here, because the next element probably needs as many bytes as this one.
      if (left < 0) {
        left = before;
        break;
      }
      parts.push(part);
      left -= 12;
    }
    return `${open}${parts.join(',')}${close}`;
  };
  return write(schema);
}
