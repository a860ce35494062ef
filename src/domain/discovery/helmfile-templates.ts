import type { DocumentTree } from '../parsers/document-tree.ts';
import { type ReadDocument, withoutTemplates } from './read-documents.ts';
import { isTemplated, templateMark } from './read-version.ts';

/**
 * Values of a release that the templates of a helmfile can refer to. A value that isn't known is null or a
 * template.
 */
export interface ReleaseValues {
  name: string | null;
  namespace: string | null;
  chart: string | null;
}

/** Placeholder for the environment in paths whose other templates are already resolved. */
export const environmentReference = '{{ .Environment.Name }}';

/**
 * Maximum length of a text whose templates are resolved. A longer text can't be a path, because file systems
 * have this limit.
 */
const maxTextLength = 4_096;

/**
 * Returns the text of a scalar as it's written in the file, with its templates. In a document whose templates
 * aren't valid YAML, the parsed scalars contain marks of the same length instead.
 */
export function writtenText(document: ReadDocument, node: DocumentTree | undefined): string | null {
  if (node?.kind !== 'scalar') return null;
  if (!node.text.includes(templateMark)) return node.text;
  if (node.offset === undefined) return null;
  const start = node.offset + (/["']/.test(document.text[node.offset] ?? '') ? 1 : 0);
  const written = document.text.slice(start, start + node.text.length);
  // A scalar with escapes or several lines differs from the text in the file, so it's excluded. The `x`
  // prevents the template from being treated as a whole line: in the file, a key or a list entry precedes it.
  return withoutTemplates(`x${written}`) === `x${node.text}` ? written : null;
}

/**
 * Replaces the references to the values of a release. Helmfile renders a file before it renders the templates
 * of the releases in it, so the latter are often escaped: `{{`{{ .Release.Name }}`}}`.
 */
export function resolveReleaseTemplates(
  text: string,
  { name, namespace, chart }: ReleaseValues,
  environment: string | null = null,
): string {
  if (!text.includes('{{') || text.length > maxTextLength) return text;
  const values: ReadonlyMap<string, string | null> = new Map([
    ['Release.Name', name],
    ['Release.Namespace', namespace],
    ['Release.Chart', chart],
    ['Environment.Name', environment],
  ]);
  return unescapeTemplates(text).replaceAll(reference, (whole, key: string) => {
    const value = values.get(key) ?? null;
    if (value !== null && !isTemplated(value)) return value;
    return key === 'Environment.Name' ? environmentReference : whole;
  });
}

const reference = /\{\{-?\s*\$?\.((?:Release\.(?:Name|Namespace|Chart))|Environment\.Name)\s*-?\}\}/g;

function unescapeTemplates(text: string): string {
  return text
    .replaceAll(/\{\{-?\s*`([^`]*)`\s*-?\}\}/g, '$1')
    .replaceAll(/\{\{-?\s*"(\{\{|\}\})"\s*-?\}\}/g, '$1');
}
