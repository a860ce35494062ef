import { type Document, isMap, isScalar, isSeq, type Node } from 'yaml';
import type { ScannedChart } from './helm-chart-scanner.ts';
import { type HelmVersion, maxLinkLength, maxLinks, parseYaml, readHelmEntry } from './helm-entry.ts';
import { countJsonValues, quoteNumbers } from './json-body.ts';
import { readField } from './release-fields.ts';

export type WholeIndexResult =
  | { ok: true; charts: ScannedChart[] }
  | { ok: false; isTooLarge: boolean; problem: string; line: number };

/**
 * Limits for JSON, which takes about 5 times its text in memory, or 30 times if it consists mostly of
 * punctuation.
 */
const maxJsonLength = 24 * 1024 * 1024;
const maxJsonValues = 1_500_000;

/** Limit for YAML in flow style. Parsing 2 MiB takes about 130 MB. */
const maxYamlLength = 2 * 1024 * 1024;

const hasNumberAsVersion = /"(?:version|appVersion)"\s*:\s*-?\d/u;

/** Reads an index in JSON or flow-style YAML, which can't be split by lines. */
export function readWholeIndex(text: string, wants: (chart: string) => boolean): WholeIndexResult {
  if (/^\s*\{\s*"/u.test(text.slice(0, 1_000))) {
    if (text.length > maxJsonLength || countJsonValues(text) > maxJsonValues) {
      return {
        ok: false,
        isTooLarge: true,
        problem: 'JSON with more than 24 MiB or 1,500,000 values',
        line: 1,
      };
    }
    try {
      const root: unknown = JSON.parse(text);
      // Keeping numbers as written requires another copy of the text, so only an index with numbers as versions is
      // parsed again.
      return readJsonIndex(hasNumberAsVersion.test(text) ? JSON.parse(quoteNumbers(text)) : root, wants);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      // The text can still be valid YAML. If it isn't, the YAML parser reports the line.
      if (text.length > maxYamlLength) {
        const line = /line (\d+)/u.exec(error.message)?.[1] ?? '1';
        return { ok: false, isTooLarge: false, problem: 'not valid JSON', line: Number(line) };
      }
    }
  }
  if (text.length > maxYamlLength) {
    return { ok: false, isTooLarge: true, problem: 'flow-style YAML larger than 2 MiB', line: 1 };
  }
  const parsed = parseYaml(text);
  if (!parsed.ok) {
    return { ok: false, isTooLarge: false, problem: parsed.reason, line: lineOf(text, parsed.offset) };
  }
  return readYamlIndex(parsed.root, parsed.document, text, wants);
}

function readYamlIndex(
  root: Node | null,
  document: Document,
  text: string,
  wants: (chart: string) => boolean,
): WholeIndexResult {
  const entries = isMap(root) ? root.get('entries', true) : undefined;
  if (entries === undefined) return noEntries();
  if (isScalar(entries) && ['', '~', 'null'].includes(String(entries.value))) return { ok: true, charts: [] };
  if (!isMap(entries)) return notMapError();
  const charts: ScannedChart[] = [];
  for (const { key, value } of entries.items) {
    const name = isScalar(key) ? String(key.value) : null;
    if (name === null || !wants(name)) continue;
    const line = isScalar(key) && key.range ? lineOf(text, key.range[0]) : 1;
    if (!isSeq(value)) {
      charts.push(noList(name, line));
      continue;
    }
    charts.push(
      collect(
        name,
        line,
        value.items.map((item) => readHelmEntry(item, document)),
      ),
    );
  }
  return { ok: true, charts };
}

function readJsonIndex(root: unknown, wants: (chart: string) => boolean): WholeIndexResult {
  const entries = readField(root, 'entries');
  if (entries === undefined) return noEntries();
  if (entries === null) return { ok: true, charts: [] };
  if (typeof entries !== 'object' || Array.isArray(entries)) return notMapError();
  const charts = Object.keys(entries)
    .filter(wants)
    .map((name) => {
      const list = readField(entries, name);
      return Array.isArray(list) ? collect(name, 1, list.map(readJsonEntry)) : noList(name, 1);
    });
  return { ok: true, charts };
}

type EntryResult = { ok: true; version: HelmVersion } | { ok: false; reason: string };

function readJsonEntry(entry: unknown): EntryResult {
  const text = (name: string): string | null => {
    const value = readField(entry, name);
    return typeof value === 'string' ? value : null;
  };
  const version = text('version')?.trim() ?? '';
  if (version === '') return { ok: false, reason: 'no version' };
  const urls = readField(entry, 'urls');
  const url: unknown = Array.isArray(urls) ? urls[0] : undefined;
  return {
    ok: true,
    version: {
      version,
      appVersion: text('appVersion')?.trim() || null,
      created: dateText(readField(entry, 'created')),
      url: typeof url === 'string' ? url : null,
      description: text('description'),
      digest: text('digest'),
      isDeprecated: isTrue(readField(entry, 'deprecated')),
      isRemoved: isTrue(readField(entry, 'removed')),
      links: linksOf(entry),
    },
  };
}

/** True for `true`, which some tools write as text. */
function isTrue(value: unknown): boolean {
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** Returns a date as text. A number is the time since 1970. */
function dateText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : null;
}

function linksOf(entry: unknown): string[] {
  const sources = readField(entry, 'sources');
  return [...(Array.isArray(sources) ? sources.slice(0, maxLinks) : []), readField(entry, 'home')]
    .filter((link): link is string => typeof link === 'string' && link.length <= maxLinkLength)
    .slice(0, maxLinks);
}

function collect(chart: string, line: number, entries: readonly EntryResult[]): ScannedChart {
  const versions = entries.flatMap((entry) => (entry.ok ? [entry.version] : []));
  const skipped = entries.flatMap((entry) => (entry.ok ? [] : [{ line, reason: entry.reason }]));
  return { chart, line, versions, skipped: skipped.slice(0, 10), skippedCount: skipped.length };
}

function noList(chart: string, line: number): ScannedChart {
  return collect(chart, line, [{ ok: false, reason: 'not a list of versions' }]);
}

function noEntries(): WholeIndexResult {
  const problem = 'missing the entries key; not a Helm repository index';
  return { ok: false, isTooLarge: false, problem, line: 1 };
}

function notMapError(): WholeIndexResult {
  return { ok: false, isTooLarge: false, problem: "entries isn't a map of charts", line: 1 };
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
