import { acknowledgeTokenPattern } from '../render/acknowledge-link.ts';

/** Where something is in a text: pairs of offset and length, in order, without overlaps. */
export type Spans = readonly number[];

/**
 * Finds secrets in texts, each as a whole only: if a part were found too, people who can have a text searched that
 * they wrote would learn from what is masked how far a guess is right.
 */
export interface SecretFinder {
  /** The length of the longest text that it looks for. */
  longest: number;
  /** @param end what begins there or later is left out */
  find: (text: string, end?: number) => Spans;
}

const mask = '…';

/** What is shorter is found only as a whole value in quotes: anywhere else it could be any word. */
const shortest = 6;
/** Forms that begin with the same characters are looked for together. */
const headLength = 32;

/**
 * @param values secrets, in the clear
 * @param formsOf how each may be written
 * @returns finds the values and every acknowledge token. The time that it takes does not depend on how much the
 * values and the text are alike: both come from people who may want it to be long.
 */
export function createSecretFinder(
  values: readonly string[],
  formsOf: (value: string) => string[],
): SecretFinder {
  const long = values.filter(({ length }) => length >= shortest);
  const quoted = values.filter(({ length }) => length < shortest).flatMap(inQuotes);
  const forms = long.flatMap(formsOf).filter(({ length }) => length >= shortest);
  const heads = headsOf(forms);
  const starts = new Set(heads.map(({ text }) => text.slice(0, shortest)));

  function find(text: string, end = text.length): Spans {
    const found: Found[] = [];
    const hashes = createHashes(text);
    const last = Math.min(end - 1, text.length - shortest);
    // Also within what was found: one secret may end where another has begun.
    for (let at = 0; at <= last; at++) {
      if (!starts.has(text.slice(at, at + shortest))) continue;
      const form = formAt(heads, text, at, hashes);
      if (form) found.push([at, form.length]);
    }
    for (const { form, quote, length } of quoted) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
        found.push([at + quote.length, length]);
    }
    return mergeSpans([...found, ...findTokens(text)]);
  }

  return {
    longest: [...forms, ...quoted.map(({ form }) => form)].reduce(
      (max, { length }) => Math.max(max, length),
      0,
    ),
    find,
  };
}

/** The text with `…` in place of what was found. @param end where the text is cut */
export function maskSpans(text: string, spans: Spans, end = text.length): string {
  let result = '';
  let at = 0;
  for (let index = 0; index < spans.length && spans[index]! < end; index += 2) {
    result += text.slice(at, spans[index]) + mask;
    at = spans[index]! + spans[index + 1]!;
  }
  return result + text.slice(at, Math.max(at, end));
}

/** The text without what a finder finds in it. */
export function maskSecrets(text: string, finder: SecretFinder): string {
  return maskSpans(text, finder.find(text));
}

export type Found = [offset: number, length: number];

/** Every acknowledge token, whether or not it is valid. */
export function findTokens(text: string): Found[] {
  return [...text.matchAll(acknowledgeTokenPattern)].map(({ index, 0: token }) => [index, token.length]);
}

export function mergeSpans(found: Found[]): Spans {
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
  /** What begins with it, the longest first. */
  forms: Form[];
}

/** Sorted, and none is the beginning of another, so that at most one can be at any place of a text. */
function headsOf(forms: readonly string[]): Head[] {
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

/** The longest form that is at this place as a whole. */
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

/** The hash of any part of a text, in the same time whatever its length. */
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
