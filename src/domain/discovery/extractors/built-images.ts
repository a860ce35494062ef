import type { ImageChoice, ImagePart, Link } from '../fact.ts';

/** Maximum number of images that one template builds. Real templates build up to about 20. */
const maxImages = 200;
/** Maximum number of expressions in one image, and of expressions that contain each other. */
const maxParts = 20;
const maxDepth = 5;

/**
 * Returns the images that a template of a Helm chart builds from values, such as
 * `{{ .Values.registry }}/{{ .Values.web.image }}:{{ .Values.web.version }}`. Only the values show which images
 * these are, so the result is linked to the values files later. A part that only rendering shows, such as a condition,
 * has no choices.
 */
export function readBuiltImages(text: string): Link[] {
  if (!text.includes('{{')) return [];
  const variables = readVariables(text);
  const images = new Map<string, Extract<Link, { type: 'built_image' }>>();
  /** Images of the blocks that contain the current line. */
  const blocks: { keys: Set<string>; hasElse: boolean }[] = [];
  for (const line of text.split('\n')) {
    if (images.size >= maxImages) break;
    if (!line.includes('{{')) continue;
    const written = line.slice(0, 1_000).trim();
    const parts = readLine(written, variables);
    const key = JSON.stringify(parts);
    if (parts !== null && !images.has(key)) images.set(key, { type: 'built_image', parts });
    if (parts !== null) for (const { keys } of blocks) keys.add(key);
    for (const [, word] of written.matchAll(/\{\{-?[ \t]*(if|with|range|define|block|else|end)\b/g)) {
      const block = blocks.at(-1);
      if (word === 'else') {
        if (block) block.hasElse = true;
      } else if (word !== 'end') {
        if (blocks.length < maxBlocks) blocks.push({ keys: new Set(), hasElse: false });
      } else if (blocks.pop()?.hasElse && block)
        for (const each of block.keys) images.get(each)!.isAlternative = true;
    }
  }
  return [...images.values()];
}

/** Maximum number of blocks of a template that contain each other. */
const maxBlocks = 50;

function readLine(line: string, variables: Variables): ImagePart[] | null {
  const entry = line.replace(/^(?:-[ \t]+)+/, '');
  const named =
    /^["']?[\w.-]{0,100}image["']?:[ \t]{1,50}(\S.*)$/i.exec(entry)?.[1] ??
    /^(["']?)-{1,2}[\w-]*image=(.+?)\1$/i.exec(entry)?.[2];
  // A definition of a template contains only the image.
  const value = named ?? (/^(?:["']?\{\{|["'][\w./-]+\{\{)/.test(entry) ? entry : null);
  // The definition that a reference names contains the image.
  if (value === null || /^["']?\{\{-?[ \t]*(?:include|template)\b/.test(value)) return null;
  const parts = readParts(withoutQuotes(withoutComment(value)), variables);
  if (parts === null) return null;
  const isBuilt =
    parts.some((part) => part.some((choice) => 'path' in choice)) &&
    parts.some(([first]) => first && 'text' in first && first.text.includes(':'));
  return named !== undefined || isBuilt ? parts : null;
}

function withoutComment(text: string): string {
  const comment = text.lastIndexOf(' #');
  return (comment > text.lastIndexOf('}}') ? text.slice(0, comment) : text).trim();
}

function withoutQuotes(text: string): string {
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}

const literal = /^[\w./:@-]*$/;

/** Splits a text into its literals and its expressions. Returns null if a literal can't be part of an image. */
function readParts(text: string, variables: Variables): ImagePart[] | null {
  const parts: ImagePart[] = [];
  let at = 0;
  for (const match of text.matchAll(/\{\{-?([^{}]*)\}\}/g)) {
    if (parts.length >= maxParts) return null;
    const before = text.slice(at, match.index);
    const found = readExpression(match[1]!.replace(/-$/, ''), variables, 0);
    if (!literal.test(before)) return null;
    if (before !== '') parts.push([{ text: before }]);
    parts.push(...(found ?? [[]]));
    at = match.index + match[0].length;
  }
  const rest = text.slice(at);
  if (!literal.test(rest) || parts.length === 0) return null;
  return rest === '' ? parts : [...parts, [{ text: rest }]];
}

/** Expressions of the variables that a file assigns exactly once. */
type Variables = ReadonlyMap<string, string>;

function readVariables(text: string): Variables {
  const variables = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [, name, value] of text.matchAll(/\{\{-?[ \t]*\$(\w{1,60})[ \t]*:?=([^{}]*)\}\}/g)) {
    if (variables.has(name!)) repeated.add(name!);
    variables.set(name!, value!.replace(/-$/, ''));
  }
  for (const name of repeated) variables.delete(name);
  return variables;
}

/** Filters that don't change the parts of an image. */
const neutralFilter = /^(?:s?quote|toString|trim|required\b.*)$/s;

/** Reads an expression of a template. Returns null if it contains anything but values, defaults, and literals. */
function readExpression(text: string, variables: Variables, depth: number): ImagePart[] | null {
  if (depth > maxDepth) return null;
  const [first = '', ...filters] = splitOutside(text, '|');
  let parts = readCall(first, variables, depth);
  for (const filter of filters) {
    if (neutralFilter.test(filter)) continue;
    const fallback = /^default[ \t]{1,50}(\S.*)$/.exec(filter)?.[1];
    if (fallback === undefined) return null;
    parts = withFallback(parts, readExpression(fallback, variables, depth + 1));
  }
  return parts;
}

/**
 * Adds the parts that are used if the first ones are empty. Unknown ones are omitted, because the others are used in
 * most installations.
 */
function withFallback(parts: ImagePart[] | null, fallback: ImagePart[] | null): ImagePart[] | null {
  if (parts === null || fallback === null) return parts ?? fallback;
  return parts.length === 1 && fallback.length === 1 ? [[...parts[0]!, ...fallback[0]!]] : parts;
}

function readCall(text: string, variables: Variables, depth: number): ImagePart[] | null {
  const [name = '', ...words] = splitOutside(text, ' ');
  if (words.length === 0) return readTerm(name, variables, depth);
  const args = () => words.map((word) => readTerm(word, variables, depth + 1));
  switch (name) {
    case 'default': {
      const [fallback = null, parts = null] = args();
      return withFallback(parts, fallback);
    }
    case 'required':
    case 'toString':
    case 'quote':
      return args().at(-1) ?? null;
    case 'coalesce':
      return args().reduceRight((rest, parts) => withFallback(parts, rest), null);
    case 'index':
    case 'get': {
      const [map, ...keys] = words;
      const path = [valuePath(map ?? ''), ...keys.map((key) => textOf(key))];
      return path.includes(null) ? null : [[{ path: path.filter(Boolean).join('.') }]];
    }
    case 'printf':
      return readFormat(textOf(words[0] ?? ''), args().slice(1));
    default:
      return null;
  }
}

/** Replaces `%s` in a format such as `%s/%s:%s`. */
function readFormat(format: string | null, args: readonly (ImagePart[] | null)[]): ImagePart[] | null {
  const literals = format?.split(/%[sv]/) ?? [];
  if (literals.length !== args.length + 1 || args.length > maxParts) return null;
  const parts: ImagePart[] = [];
  for (const [at, text] of literals.entries()) {
    if (!literal.test(text)) return null;
    if (text !== '') parts.push([{ text }]);
    const arg = args[at];
    if (arg === null) return null;
    parts.push(...(arg ?? []));
  }
  return parts;
}

function readTerm(text: string, variables: Variables, depth: number): ImagePart[] | null {
  const written = textOf(text);
  if (written !== null) return literal.test(written) ? [[{ text: written }]] : null;
  const path = valuePath(text);
  if (path !== null && path !== '') return [[{ path }]];
  if (/^(?:\$\w*)?(?:\.\w+)?\.Chart\.AppVersion$/.test(text))
    return [[{ isAppVersion: true } satisfies ImageChoice]];
  const [, variable, rest = ''] = /^\$(\w{1,60})((?:\.[\w-]{1,100}){0,10})$/.exec(text) ?? [];
  const assigned = variable === undefined ? undefined : variables.get(variable);
  if (assigned !== undefined) {
    if (rest === '') return readExpression(assigned, variables, depth + 1);
    // A variable can contain a map of the values.
    const map = valuePath(assigned.replace(/\|[ \t]*default[ \t]+\(?dict\)?[ \t]*$/, '').trim());
    return map === null ? null : [[{ path: `${map}${rest}`.replace(/^\./, '') }]];
  }
  return text.startsWith('(') && text.endsWith(')')
    ? readExpression(text.slice(1, -1), variables, depth + 1)
    : null;
}

/** Returns the path in the values that a reference such as `(.Values.web).image` names. Empty for all values. */
function valuePath(text: string): string | null {
  return (
    /^(?:\$\w*)?(?:\.\w+)?\.Values(?:\.([\w.-]{1,300}))?$/
      .exec(text.replaceAll(/[()]/g, ''))
      ?.slice(1)
      .map((path) => path ?? '')[0] ?? null
  );
}

function textOf(text: string): string | null {
  return (
    /^"([^"\\]*)"$|^`([^`]*)`$/
      .exec(text)
      ?.slice(1)
      .find((each) => each !== undefined) ?? null
  );
}

/** Splits a text at a separator outside of parentheses and quotes. Empty parts are dropped. */
function splitOutside(text: string, separator: '|' | ' '): string[] {
  const parts: string[] = [];
  let [start, depth, quote] = [0, 0, ''];
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? separator;
    if (quote !== '' && at < text.length) {
      if (character === quote) quote = '';
    } else if (character === '"' || character === '`') quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (at === text.length || (character === separator && depth <= 0)) {
      const part = text.slice(start, at).trim();
      if (part !== '') parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}
