import { withoutTrailing } from '../../../../domain/text/trailing.ts';

/**
 * Returns the encodings in which a receiver can return a value: variants of JSON, URL, and HTML escaping,
 * base64, and hex.
 */
export function encodingsOf(value: string): string[] {
  if (isPlain(value)) return unique([value, ...binaryForms(value)]);
  const json = jsonEscaped(value);
  const texts = [
    value,
    json,
    jsonEscaped(json),
    // PHP, Go, and other languages escape more characters than necessary.
    json.replaceAll('/', '\\/'),
    json.replace(/[&<>'/]/g, unicodeEscaped),
    json.replace(/[&<>']/g, unicodeEscaped),
  ];
  return unique([
    ...texts,
    ...texts.flatMap(urlForms),
    ...texts.flatMap(htmlForms),
    ...[value, json].flatMap(binaryForms),
  ]);
}

/** True if nearly all text encodings leave the value unchanged. */
function isPlain(value: string): boolean {
  return /^[A-Za-z0-9_-]*$/.test(value);
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unicodeEscaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function urlForms(text: string): string[] {
  const component = encodeURIComponent(text);
  const strict = component.replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams({ '': text }).toString().slice(1);
  const forms = [component, strict, form, encodeURI(text)];
  return [...forms, ...forms.map((each) => each.replace(/%../g, (code) => code.toLowerCase()))];
}

function htmlForms(text: string): string[] {
  const basic = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    basic,
    basic.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    basic.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
    basic.replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
  ];
}

function binaryForms(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const base64 = base64Cores(bytes);
  return [
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

/**
 * Returns the three possible base64 encodings of a text inside a longer one. Base64 encodes groups of three
 * bytes, so the result depends on the text's position in its group. Characters that also depend on
 * neighboring bytes are omitted.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = withoutTrailing(Buffer.concat([Buffer.alloc(before), bytes]).toString('base64'), '=');
    const isPartial = (before + bytes.length) % 3 !== 0;
    return text.slice(before === 0 ? 0 : before + 1, isPartial ? -1 : undefined);
  });
}

function unique(forms: string[]): string[] {
  return [...new Set(forms)];
}
