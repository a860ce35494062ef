import { isMap, isSeq } from 'yaml';
import {
  type HelmVersion,
  helmEntryFields,
  helmFirstEntryFields,
  parseHelmEntry,
  parseYaml,
  readHelmEntry,
  tooDeep,
} from './helm-entry.ts';
import { isDashAt, withoutProperties } from './helm-lines.ts';

/** The result of scanning one chart of an index. Lines are counted from 1. */
export interface ScannedChart {
  chart: string;
  line: number;
  /** In the order of the index. */
  versions: HelmVersion[];
  skipped: { line: number; reason: string }[];
  /** Entries that were skipped, of which `skipped` has the first few. */
  skippedCount: number;
}

/** Real entries keep below 2 KiB of the fields that are read, with a handful of brackets. */
const maxEntryLength = 16 * 1024;
const maxBrackets = 200;
/** Limits on the links of a chart. Further lines aren't read. */
const maxLinkLines = 20;
const maxLinkLineLength = 600;

/** Of a chart in flow style, which is parsed in one piece: 2 MiB take some 130 MB. */
const maxFlowLength = 2 * 1024 * 1024;

export const maxVersionsPerChart = 20_000;

/**
 * Splits the lines of one chart into its entries and parses each separately, without unused fields, so that
 * neither a large chart nor a broken entry affects the rest. Indentation alone determines what is between two keys
 * of a block map: in YAML, every line of a value, including quoted text, is indented deeper than its key, except
 * for the dashes of a list.
 * @param rest The text after the colon of the chart's key.
 */
export function createChartScanner(chart: string, line: number, rest: string) {
  const result: ScannedChart = { chart, line, versions: [], skipped: [], skippedCount: 0 };
  const inline = withoutProperties(rest);
  /** For a chart that isn't written as a block: everything. */
  const flow: Line[] | null = inline === '' ? null : [{ text: inline, line }];
  let flowLength = inline.length;
  let listIndent: number | null = null;
  let isNoList = false;
  let entry: Entry | null = null;
  let entryCount = 0;

  function skip(at: number, reason: string): void {
    result.skippedCount += 1;
    if (result.skipped.length < 10) result.skipped.push({ line: at, reason });
  }

  function finishEntry(): void {
    if (!entry) return;
    if (entry.trouble) {
      skip(entry.trouble.line, entry.trouble.reason);
    } else {
      // A version counts even if its links can't be read.
      const withLinks = entry.links.length > 0 ? parseLines([...entry.lines, ...entry.links]) : null;
      const parsed = withLinks?.ok ? withLinks : parseLines(entry.lines);
      if (parsed.ok) result.versions.push(parsed.version);
      else skip(lineAt(entry.lines, parsed.offset) ?? entry.line, parsed.reason);
    }
    entry = null;
  }

  /** One line below the key of the chart. `indent` counts its leading spaces. */
  function addLine(text: string, indent: number, number: number): void {
    if (flow) {
      flowLength += text.length + 1;
      if (flowLength <= maxFlowLength) flow.push({ text, line: number });
      return;
    }
    const first = text[indent];
    const isComment = first === '#';
    if (first === undefined) {
      if (entry?.isKeeping) keep(entry, '', number);
      return;
    }
    const isDash = isDashAt(text, indent);
    if (listIndent === null) {
      if (isComment) return;
      isNoList = !isDash;
      listIndent = indent;
    }
    if (isNoList) return;
    if (isDash && indent === listIndent) {
      finishEntry();
      const isFirst = entryCount++ === 0;
      entry = {
        line: number,
        isFirst,
        isLink: false,
        keyIndent: null,
        isKeeping: true,
        lines: [],
        links: [],
        length: 0,
        trouble: null,
      };
      const content = text.slice(indent + 1).trimStart();
      if (content === '' || content.startsWith('#')) return;
      // As if the dash were on a separate line.
      addField(
        entry,
        `${' '.repeat(text.length - content.length)}${content}`,
        text.length - content.length,
        number,
      );
      return;
    }
    if (!entry) return;
    if (indent <= listIndent) {
      if (!isComment) entry.trouble ??= { line: number, reason: 'inconsistent indentation' };
      return;
    }
    addField(entry, text, indent, number);
  }

  /** Never throws. A chart that can't be read has no versions and contains the reason. */
  function finish(): ScannedChart {
    finishEntry();
    if (isNoList) skip(line, 'not a list of versions');
    if (flow) readFlow(flow);
    return result;
  }

  function readFlow(lines: readonly Line[]): void {
    if (flowLength > maxFlowLength) {
      skip(line, 'flow-style YAML larger than 2 MiB');
      return;
    }
    const parsed = parseYaml(`chart: ${lines.map(({ text }) => text).join('\n')}`);
    if (!parsed.ok) {
      skip(lineAt(lines, parsed.offset) ?? line, parsed.reason);
      return;
    }
    const value = isMap(parsed.root) ? parsed.root.get('chart', true) : null;
    if (!isSeq(value)) {
      skip(line, 'not a list of versions');
      return;
    }
    for (const item of value.items) {
      const read = readHelmEntry(item, parsed.document);
      if (read.ok) result.versions.push(read.version);
      else skip(line, read.reason);
    }
  }

  return { addLine, finish, count: () => result.versions.length };
}

interface Line {
  text: string;
  line: number;
}

interface Entry {
  line: number;
  isFirst: boolean;
  /** Whether the field that is being read has links. */
  isLink: boolean;
  /** The indentation of its keys. Null before the first. */
  keyIndent: number | null;
  /** Whether the field that is being read is kept. */
  isKeeping: boolean;
  lines: Line[];
  /** Of the sources and the home page. */
  links: Line[];
  length: number;
  trouble: { line: number; reason: string } | null;
}

function addField(entry: Entry, text: string, indent: number, number: number): void {
  if (text[indent] === '#' && entry.keyIndent === null) return;
  entry.keyIndent ??= indent;
  // Lines that are indented less than the keys are kept, so that the parser reports them.
  if (indent < entry.keyIndent) entry.isKeeping = text[indent] !== '#';
  else if (indent === entry.keyIndent && text[indent] !== '#' && text[indent] !== '-') {
    const [, double, single, plain] = fieldPattern.exec(text.slice(indent, indent + 100)) ?? [];
    const name = double ?? single ?? plain;
    entry.isLink = entry.isFirst && name !== undefined && helmFirstEntryFields.has(name);
    entry.isKeeping = name === undefined || helmEntryFields.has(name);
  }
  if (entry.isLink && entry.links.length < maxLinkLines && text.length <= maxLinkLineLength)
    entry.links.push({ text, line: number });
  else if (entry.isKeeping) keep(entry, text, number);
}

const fieldPattern = /^(?:"([^"\\]*)"|'([^']*)'|([A-Za-z][\w.-]*))\s*:(?:\s|$)/u;

function keep(entry: Entry, text: string, line: number): void {
  entry.length += text.length + 1;
  if (entry.length > maxEntryLength) {
    entry.trouble ??= { line: entry.line, reason: 'larger than 16 KiB' };
    entry.lines = [];
    return;
  }
  entry.lines.push({ text, line });
}

function parseLines(lines: readonly Line[]) {
  const text = lines.map((kept) => kept.text).join('\n');
  return hasTooManyBrackets(text) ? tooDeep : parseHelmEntry(text);
}

/** Deep nesting is rejected before parsing: 60,000 brackets took the parser 250 ms and about 400 MB. */
function hasTooManyBrackets(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) count += 1;
  }
  return count > maxBrackets;
}

/** The line of the index in which an offset into the joined lines lies, or the last one with text before it. */
function lineAt(lines: readonly Line[], offset: number): number | undefined {
  let end = 0;
  const found = lines.find(({ text }) => {
    end += text.length + 1;
    return offset < end;
  });
  const isFound = (line: Line): boolean => line.text !== '' && (!found || line.line <= found.line);
  return lines.findLast(isFound)?.line;
}
