import { readChart } from '../chart-fact.ts';
import type { Fact, FactLocation, Link, TemplatePart } from '../fact.ts';
import { markTemplates } from '../link-values-files.ts';
import { factDefaults } from '../manifest.ts';
import { readImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { createConditionTracker } from '../template-conditions.ts';

/** Fields of an Application's source that identify a chart. */
const partNames = ['repoURL', 'chart', 'targetRevision'] as const;
type PartName = (typeof partNames)[number];

/**
 * Returns the charts that Applications and ApplicationSets in the templates of a Helm chart install, the directories
 * that they deploy, each with the values that must be true, and the images that their parameters set. A version that
 * comes from the values of the Helm chart yields a link, which is resolved when files are linked. With a literal
 * version, the other fields must be literal, too. Sources with other templates are skipped.
 */
export function readTemplateCharts(text: string): { facts: Fact[]; links: Link[] } {
  const result: { facts: Fact[]; links: Link[] } = { facts: [], links: [] };
  let names: Pick<FactLocation, 'kind' | 'name'> = { kind: null, name: null };
  let isInMetadata = false;
  let parts = new Map<PartName, TemplatePart | null>();
  let line = 1;
  const counts = new Map<string, number>();
  const conditions = createConditionTracker();
  let flags: string[] = [];
  let directory: string | null = null;
  let parameters = createParameterReader();
  const flush = () => {
    const own = parameters.all();
    parameters = createParameterReader();
    if (isApplication(names.kind)) addParameters(own, { ...names, namespace: null }, directory, result);
    const [repository, chart, version] = partNames.map((name) => parts.get(name) ?? null);
    parts = new Map();
    const deployed = directory;
    directory = null;
    if (!isApplication(names.kind) || result.facts.length + result.links.length >= maxCharts) return;
    if (deployed !== null) result.links.push({ type: 'templated_application', directory: deployed, flags });
    if (!repository || !chart || !version) return;
    if ('path' in version) {
      result.links.push({ type: 'templated_chart', repository, chart, version, flags });
      return;
    }
    if ('path' in repository || 'path' in chart) return;
    const count = (counts.get(chart.text) ?? 0) + 1;
    counts.set(chart.text, count);
    result.facts.push({
      extractor: 'argocd',
      place: {
        line,
        document: 0,
        ...names,
        namespace: null,
        field: `chart ${chart.text}${count === 1 ? '' : ` ${count}`}`,
      },
      ...readChart(chart.text, repository.text, version.text),
      ...factDefaults,
      note: 'literal in a template of a Helm chart',
    });
  };
  for (const [at, each] of text.split('\n').entries()) {
    const written = each.slice(0, 1_000).trimEnd();
    conditions.read(written);
    if (written.startsWith('---')) {
      flush();
      names = { kind: null, name: null };
    }
    parameters.read(written, at + 1);
    if (/^\w+:/.test(written)) isInMetadata = written === 'metadata:';
    const kind = /^kind:\s*["']?(\w+)["']?$/.exec(written)?.[1];
    if (kind !== undefined) names = { ...names, kind };
    const name = isInMetadata ? /^ {2}name:\s*["']?([\w.-]+)["']?$/.exec(written)?.[1] : undefined;
    if (name !== undefined) names = { ...names, name };
    const [, key] = /^(?:- +)?(repoURL|chart|targetRevision|path):\s/.exec(written.trim()) ?? [];
    if (key === undefined) continue;
    if (key === 'path') {
      const path = markTemplates(unquote(written.slice(written.indexOf('path:') + 'path:'.length)));
      if (/^[\w./\uE000-]+$/.test(path)) directory = path;
      flags = conditions.current();
      continue;
    }
    const value = written.slice(written.indexOf(`${key}:`) + key.length + 1);
    // A source has each part once, so a part that appears again belongs to the next source.
    if (parts.has(key as PartName)) flush();
    parts.set(key as PartName, readPart(value));
    flags = conditions.current();
    if (key === 'targetRevision') line = at + 1;
  }
  flush();
  return result;
}

function isApplication(kind: string | null): boolean {
  return kind === 'Application' || kind === 'ApplicationSet';
}

interface Parameter {
  value: TemplatePart;
  line: number;
}

/** Reads the lines of a file in turn, and returns the parameters of `helm`, without those that have several values. */
function createParameterReader(): {
  read(line: string, number: number): void;
  all(): ReadonlyMap<string, Parameter>;
} {
  const found = new Map<string, Parameter>();
  const ambiguous = new Set<string>();
  let indentation: number | null = null;
  let name: string | null = null;
  return {
    read(line, number) {
      const indent = line.search(/\S/);
      const text = line.trim();
      // Conditions of templates can be at any level.
      if (indent < 0 || text.startsWith('{{') || text.startsWith('#')) return;
      if (text === 'parameters:') [indentation, name] = [indent, null];
      else if (indentation !== null && (indent < indentation || (indent === indentation && text[0] !== '-')))
        indentation = null;
      if (indentation === null) return;
      if (text.startsWith('-')) name = null;
      const [, key, value = ''] = /^(?:- +)?(name|value):\s(.*)$/.exec(text) ?? [];
      if (key === 'name') name = unquote(value);
      const part = key === 'value' && name !== null ? readPart(value) : null;
      if (name === null || !part || found.size >= maxParameters) return;
      if (found.has(name)) ambiguous.add(name);
      found.set(name, { value: part, line: number });
    },
    all: () => new Map([...found].filter(([each]) => !ambiguous.has(each))),
  };
}

/** Maximum number of parameters of one source. Real sources have up to about 50. */
const maxParameters = 500;

/**
 * Adds the images in the parameters of a source, such as `image.repository` and `image.tag`. A part can come from the
 * values of the chart that contains the template.
 */
function addParameters(
  parameters: ReadonlyMap<string, Parameter>,
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'>,
  directory: string | null,
  result: { facts: Fact[]; links: Link[] },
): void {
  for (const [name, { value, line }] of parameters) {
    const image = /^(.{0,200}image)\.tag$/i.exec(name)?.[1];
    if (image === undefined || result.facts.length + result.links.length >= maxCharts) continue;
    const registry = parameters.get(`${image}.registry`)?.value;
    const repository = parameters.get(`${image}.repository`)?.value;
    const parts = [...(registry && repository ? [registry] : []), ...(repository ? [repository] : [])];
    if ('path' in value || parts.some((part) => 'path' in part)) {
      if (repository)
        result.links.push({
          type: 'built_image',
          parts: [
            ...parts.flatMap((part, at) => (at === 0 ? [[part]] : [[{ text: '/' }], [part]])),
            [{ text: ':' }],
            [value],
          ],
        });
      continue;
    }
    const full = parts.map((part) => ('text' in part ? part.text : '')).join('/');
    // Without its repository, the image is in the values of the chart in the directory.
    const isBaseKnown = directory !== null && !isTemplated(directory);
    if (full === '' && !isBaseKnown) continue;
    result.facts.push({
      extractor: 'argocd',
      place: { line, document: 0, ...names, field: `helm.parameters[${image}]` },
      ...readImage({ name: full === '' ? image : full, tag: value.text, digest: null }),
      ...(full === '' &&
        isBaseKnown && { origin: { type: 'overlay' as const, base: { directory, field: image } } }),
      note: 'literal in a template of a Helm chart',
    });
  }
}

/** Maximum number of charts in a file. */
const maxCharts = 1_000;

/** Reads a literal, or a reference to the values of the chart. Returns null for other templates. */
export function readPart(value: string): TemplatePart | null {
  const text = unquote(value);
  if (!text.includes('{{')) return text === '' ? null : { text };
  const path = /^\{\{-?\s*\$?\.Values\.([\w.-]{1,300})\s*(?:\|\s*(?:s?quote|toString)\s*)?-?\}\}$/.exec(
    text,
  )?.[1];
  return path === undefined ? null : { path };
}

/** Returns a value without its comment and its quotes. */
function unquote(value: string): string {
  const comment = value.search(/\s#/);
  return (comment < 0 ? value : value.slice(0, comment)).trim().replace(/^(["'])(.*)\1$/, '$2');
}
