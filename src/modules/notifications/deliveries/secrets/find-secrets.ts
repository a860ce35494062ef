import { acknowledgeTokenPattern } from './acknowledge-link.ts';

/** Positions in a text: pairs of offset and length, sorted, without overlaps. */
export type Spans = readonly number[];

/**
 * Finds only complete secrets in texts. If parts were found too, people who can submit a text for masking
 * could infer from the result how much of a guess is correct.
 */
export interface SecretFinder {
  /** Length of the longest text to find. */
  longest: number;
  /** @param end Matches that start at or after this offset are excluded. */
  find: (text: string, end?: number) => Spans;
}

const mask = '…';

/**
 * Minimum length of a secret that is found anywhere. Shorter secrets are found only as complete quoted
 * values, because they could match ordinary words.
 */
const minLength = 6;
/**
 * Length of the prefix by which forms (the encodings of secrets) are grouped. Forms with the same prefix are compared
 * together.
 */
const headLength = 32;

/**
 * Creates a finder for the values and for all acknowledge tokens.
 * @param values Decrypted secrets.
 * @param formsOf Returns the encodings of a value.
 * @returns A finder whose run time doesn't depend on the similarity of values and text. Users control both,
 * so they could otherwise make it slow.
 */
export function createSecretFinder(
  values: readonly string[],
  formsOf: (value: string) => string[],
): SecretFinder {
  const long = values.filter(({ length }) => length >= minLength);
  const quoted = values.filter(({ length }) => length < minLength).flatMap(inQuotes);
  const forms = long.flatMap(formsOf).filter(({ length }) => length >= minLength);
  const heads = groupByPrefix(forms);
  const starts = new Set(heads.map(({ text }) => text.slice(0, minLength)));
  const firstUnits = new Set(heads.map(({ text }) => text.charCodeAt(0)));

  function find(text: string, end = text.length): Spans {
    const found: SecretSpan[] = [];
    // Most texts contain no start of a secret, so the hashes of all their offsets aren't needed.
    let hashes: ReturnType<typeof createHashes> | undefined;
    const last = Math.min(end - 1, text.length - minLength);
    // Check every offset, even inside matches, because secrets can overlap.
    for (let at = 0; at <= last; at++) {
      if (!firstUnits.has(text.charCodeAt(at)) || !starts.has(text.slice(at, at + minLength))) continue;
      hashes ??= createHashes(text);
      const form = formAt(heads, text, at, hashes);
      if (form) found.push([at, form.length]);
    }
    for (const { form, quote, length } of quoted) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
        found.push([at + quote.length, length]);
    }
    return mergeSpans([...found, ...findAcknowledgeTokenSpans(text)]);
  }

  return {
    longest: [...forms, ...quoted.map(({ form }) => form)].reduce(
      (max, { length }) => Math.max(max, length),
      0,
    ),
    find,
  };
}

/**
 * Replaces the spans in a text with `…`.
 * @param end Offset at which to cut the text.
 */
export function maskSpans(text: string, spans: Spans, end = text.length): string {
  let result = '';
  let at = 0;
  for (let index = 0; index < spans.length && spans[index]! < end; index += 2) {
    result += text.slice(at, spans[index]) + mask;
    at = spans[index]! + spans[index + 1]!;
  }
  return result + text.slice(at, Math.max(at, end));
}

/** Masks all secrets that a finder finds in a text. */
export function maskSecrets(text: string, finder: SecretFinder): string {
  return maskSpans(text, finder.find(text));
}

export type SecretSpan = [offset: number, length: number];

/** Finds all acknowledge tokens, even invalid ones. */
export function findAcknowledgeTokenSpans(text: string): SecretSpan[] {
  return [...text.matchAll(acknowledgeTokenPattern)].map(({ index, 0: token }) => [index, token.length]);
}

export function mergeSpans(found: SecretSpan[]): Spans {
  const spans: number[] = [];
  let end = -1;
  for (const [offset, length] of found.sort(([a], [b]) => a - b)) {
    if (offset < end) {
      const longer = offset + length - end;
      if (longer > 0) {
        spans[spans.length - 1]! += longer;
        end += longer;
      }
      continue;
    }
    spans.push(offset, length);
    end = offset + length;
  }
  return spans;
}

interface Form {
  text: string;
  length: number;
  hash: number;
}

interface Head {
  text: string;
  /** Forms that start with `text`, longest first. */
  forms: Form[];
}

/**
 * Groups forms by prefix. The prefixes are sorted, and none is a prefix of another, so at most one matches at
 * each offset.
 */
function groupByPrefix(forms: readonly string[]): Head[] {
  const heads: Head[] = [];
  for (const text of [...new Set(forms)].sort()) {
    const form = { text, length: text.length, hash: createHashes(text)(0, text.length) };
    const last = heads.at(-1);
    if (last && text.startsWith(last.text)) last.forms.push(form);
    else heads.push({ text: text.slice(0, headLength), forms: [form] });
  }
  for (const head of heads) head.forms.sort((a, b) => b.length - a.length);
  return heads;
}

/** Returns the longest form that matches completely at this offset. */
function formAt(
  heads: readonly Head[],
  text: string,
  at: number,
  hashOf: (at: number, length: number) => number,
): Form | undefined {
  const window = text.slice(at, at + headLength);
  let low = 0;
  for (let high = heads.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (heads[middle]!.text <= window) low = middle + 1;
    else high = middle;
  }
  const head = heads[low - 1];
  if (!head || !window.startsWith(head.text)) return undefined;
  return head.forms.find(
    (form) =>
      at + form.length <= text.length &&
      hashOf(at, form.length) === form.hash &&
      text.startsWith(form.text, at),
  );
}

const hashBase = 0x01000193;

/** Creates a function that returns the hash of any part of a text in constant time. */
function createHashes(text: string): (at: number, length: number) => number {
  const sums = new Int32Array(text.length + 1);
  const powers = new Int32Array(text.length + 1);
  powers[0] = 1;
  for (let index = 0; index < text.length; index++) {
    sums[index + 1] = Math.imul(sums[index]!, hashBase) + text.charCodeAt(index);
    powers[index + 1] = Math.imul(powers[index]!, hashBase);
  }
  return (at, length) => (sums[at + length]! - Math.imul(sums[at]!, powers[length]!)) | 0;
}

function inQuotes(value: string): { form: string; quote: string; length: number }[] {
  return ['"', "'", '\\"'].map((quote) => ({ form: quote + value + quote, quote, length: value.length }));
}
