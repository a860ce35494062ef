import type { ResolvedText } from './environment-values.ts';

/** Minimum length of a truncated secret to replace. Shorter beginnings can match ordinary words. */
const minPrefixLength = 12;

/**
 * Returns a function that replaces the values of variables in text with references. The values can be
 * escaped, normalized, or truncated in this text, because servers quote rejected values.
 */
export function createSecretHider(texts: readonly ResolvedText[]): (text: string) => string {
  const replacements = new Map<string, string>();
  for (const { written, filled, values } of texts) {
    for (const form of formsOf(filled)) replacements.set(form, written);
    for (const part of addressParts(filled)) if (!written.includes(part)) replacements.set(part, '…');
    for (const [name, value] of values)
      for (const form of formsOf(value)) replacements.set(form, `\${env:${name}}`);
  }
  replacements.delete('');
  const secrets = [...replacements.keys()].toSorted((a, b) => b.length - a.length);
  if (secrets.length === 0) return (text) => text;
  const whole = new RegExp(secrets.map((secret) => escapePattern(secret)).join('|'), 'g');
  return (text) => {
    const hidden = text.replace(whole, (secret) => replacements.get(secret)!);
    return secrets.reduce((rest, secret) => hidePrefix(rest, secret, replacements.get(secret)!), hidden);
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

/**
 * Returns the host and credentials of a URL, which must be hidden too. For example, a message that rejects a private
 * address contains the host.
 */
function addressParts(filled: string): string[] {
  const url = URL.parse(filled);
  if (!url) return [];
  const { host, hostname, username, password } = url;
  return [host, hostname, hostname.replace(/^\[|\]$/g, ''), username, password];
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Replaces the beginning of a secret, which remains if a message was cut in the middle of the secret. */
function hidePrefix(text: string, secret: string, shown: string): string {
  for (let length = secret.length - 1; length >= minPrefixLength; length--) {
    const beginning = secret.slice(0, length);
    if (text.includes(beginning)) return text.replaceAll(beginning, () => shown);
  }
  return text;
}
