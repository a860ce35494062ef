import type { FilledText } from './environment-values.ts';

/** A shorter beginning of a secret that was cut off is left as it is: ordinary words could match. */
const shortestPart = 12;

/**
 * Returns a function that replaces the values of variables in a text by references to them. Servers quote what they
 * reject, possibly escaped, normalized, or cut off.
 */
export function createSecretHider(texts: readonly FilledText[]): (text: string) => string {
  const shownBy = new Map<string, string>();
  for (const { written, filled, values } of texts) {
    for (const form of formsOf(filled)) shownBy.set(form, written);
    for (const part of addressParts(filled)) if (!written.includes(part)) shownBy.set(part, '…');
    for (const [name, value] of values)
      for (const form of formsOf(value)) shownBy.set(form, `\${env:${name}}`);
  }
  shownBy.delete('');
  const secrets = [...shownBy.keys()].toSorted((a, b) => b.length - a.length);
  if (secrets.length === 0) return (text) => text;
  const whole = new RegExp(secrets.map((secret) => escapePattern(secret)).join('|'), 'g');
  return (text) => {
    const hidden = text.replace(whole, (secret) => shownBy.get(secret)!);
    return secrets.reduce((rest, secret) => hideBeginning(rest, secret, shownBy.get(secret)!), hidden);
  };
}

function formsOf(value: string): string[] {
  const forms = [
    value,
    value.trim(),
    encodeURI(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()),
  ];
  const url = URL.parse(value);
  return [...new Set([...forms, ...(url ? [url.href] : [])].flatMap((form) => [form, inJson(form)]))];
}

/** An address that is private is named in the message that rejects it. */
function addressParts(filled: string): string[] {
  const url = URL.parse(filled);
  if (!url) return [];
  const { host, hostname, username, password } = url;
  return [host, hostname, hostname.replace(/^\[|\]$/g, ''), username, password];
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** What is left of a secret in a message that was cut off. */
function hideBeginning(text: string, secret: string, shown: string): string {
  for (let length = secret.length - 1; length >= shortestPart; length--) {
    const beginning = secret.slice(0, length);
    if (text.includes(beginning)) return text.replaceAll(beginning, () => shown);
  }
  return text;
}
