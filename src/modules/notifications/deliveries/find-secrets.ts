import { acknowledgeTokenPattern } from './acknowledge-link.ts';

/** Where something is in a text: pairs of offset and length, in order, without overlaps. */
export type Spans = readonly number[];

/** Finds secrets in texts. */
export type SecretFinder = (text: string) => Spans;

const mask = '…';

/** What is shorter is found only as a whole value in quotes: anywhere else it could be any word. */
const shortest = 6;
/** A form is recognized by its beginning, and then followed as far as it goes. */
const headLength = 32;
/** Characters that are compared to follow forms in one text; beyond, all of a form is taken to be there. */
const followedAtMost = 1_000_000;

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
  const heads = headsOf(long.flatMap(formsOf).filter(({ length }) => length >= shortest));
  const starts = new Set(heads.map(({ text }) => text.slice(0, shortest)));

  return (text) => {
    const found: [offset: number, length: number][] = [];
    let followed = 0;
    // Also within what was found: one secret may end where another has begun.
    for (let at = 0; at <= text.length - shortest; at++) {
      if (!starts.has(text.slice(at, at + shortest))) continue;
      const match = matchAt(heads, text, at);
      if (match === null) continue;
      const lengths = match.forms.map((form) =>
        followed < followedAtMost ? sameLength(form, text, at) : form.length,
      );
      followed += lengths.reduce((sum, length) => sum + length, 0);
      found.push([at, Math.max(match.text.length, ...lengths)]);
    }
    for (const { form, quote, length } of quoted) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
        found.push([at + quote.length, length]);
    }
    for (const { index, 0: token } of text.matchAll(acknowledgeTokenPattern))
      found.push([index, token.length]);
    return merged(found);
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
export function maskSecrets(text: string, find: SecretFinder): string {
  return maskSpans(text, find(text));
}

interface Head {
  text: string;
  /** What begins with it. */
  forms: string[];
}

/** Sorted, and none is the beginning of another, so that at most one can be at any place of a text. */
function headsOf(forms: readonly string[]): Head[] {
  const heads: Head[] = [];
  for (const form of [...new Set(forms)].sort()) {
    const last = heads.at(-1);
    if (last && form.startsWith(last.text)) last.forms.push(form);
    else heads.push({ text: form.slice(0, headLength), forms: [form] });
  }
  return heads;
}

/** What is at this place. At the end of a text, which may have been cut, the beginning of a head is enough. */
function matchAt(heads: readonly Head[], text: string, at: number): Head | null {
  const window = text.slice(at, at + headLength);
  let low = 0;
  for (let high = heads.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (heads[middle]!.text <= window) low = middle + 1;
    else high = middle;
  }
  const head = heads[low - 1];
  if (head && window.startsWith(head.text)) return head;
  const isEnd = at + window.length === text.length && heads[low]?.text.startsWith(window);
  return isEnd ? { text: window, forms: [] } : null;
}

function sameLength(form: string, text: string, at: number): number {
  let length = 0;
  while (length < form.length && form.charCodeAt(length) === text.charCodeAt(at + length)) length++;
  return length;
}

function inQuotes(value: string): { form: string; quote: string; length: number }[] {
  return ['"', "'", '\\"'].map((quote) => ({ form: quote + value + quote, quote, length: value.length }));
}

function merged(found: [offset: number, length: number][]): number[] {
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
