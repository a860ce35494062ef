import { isMap, isSeq } from 'yaml';
import {
  type HelmVersion,
  helmEntryFields,
  helmFirstEntryFields,
  nestedTooDeeplyResult,
  parseHelmEntry,
  parseYaml,
  readHelmEntry,
} from './helm-entry.ts';
import { isDashAt, withoutProperties } from './helm-lines.ts';

/** Result of scanning one chart of an index. Line numbers start at 1. */
export interface ScannedChart {
  chart: string;
  line: number;
  /** Versions in the order of the index. */
  versions: HelmVersion[];
  skipped: { line: number; reason: string }[];
  /** Number of skipped entries. `skipped` contains only the first few. */
  skippedCount: number;
}

/**
 * Limits of the fields that are read from an entry. Real entries have less than 2 KiB and a handful of
 * brackets.
 */
const maxEntryLength = 16 * 1024;
const maxBrackets = 200;
/** Limits of the links of a chart. Lines beyond these limits aren't read. */
const maxLinkLines = 20;
const maxLinkLineLength = 600;

/** Maximum length of a chart in flow style, which is parsed as a whole. Parsing 2 MiB takes about 130 MB. */
const maxFlowLength = 2 * 1024 * 1024;

export const maxVersionsPerChart = 20_000;

/**
 * Splits the lines of one chart into entries and parses each separately, without unused fields, so that
 * neither a large chart nor a broken entry affects the rest. Indentation alone shows where the value of a key
 * ends: in YAML, every line of a value, including quoted text, is indented deeper than its key, except for
 * the dashes of a list.
 *
 * @param rest The text after the colon of the chart's key.
 */
export function createChartScanner(chart: string, line: number, rest: string) {
  const result: ScannedChart = { chart, line, versions: [], skipped: [], skippedCount: 0 };
  const inline = withoutProperties(rest);
  /** All lines of a chart in flow style, or `null` for a chart in block style. */
  const flow: Line[] | null = inline === '' ? null : [{ text: inline, line }];
  let flowLength = inline.length;
  let listIndent: number | null = null;
  let isNotList = false;
  let entry: Entry | null = null;
  let entryCount = 0;

  function skip(at: number, reason: string): void {
    result.skippedCount += 1;
    if (result.skipped.length < 10) result.skipped.push({ line: at, reason });
  }

  function finishEntry(): void {
    if (!entry) return;
    if (entry.problem) {
      skip(entry.problem.line, entry.problem.reason);
    } else {
      // A version is kept even if its links can't be read.
      const withLinks = entry.links.length > 0 ? parseLines([...entry.lines, ...entry.links]) : null;
      const parsed = withLinks?.ok ? withLinks : parseLines(entry.lines);
      if (parsed.ok) result.versions.push(parsed.version);
      else skip(lineAt(entry.lines, parsed.offset) ?? entry.line, parsed.reason);
    }
    entry = null;
  }

  /** Processes one line below the key of the chart. `indent` is the number of leading spaces. */
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
      isNotList = !isDash;
      listIndent = indent;
    }
    if (isNotList) return;
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
        problem: null,
      };
      const content = text.slice(indent + 1).trimStart();
      if (content === '' || content.startsWith('#')) return;
      // The rest of the line is handled as if the dash were on a separate line.
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
      if (!isComment) entry.problem ??= { line: number, reason: 'inconsistent indentation' };
      return;
    }
    addField(entry, text, indent, number);
  }

  /** Returns the result. Never throws: an unreadable chart has no versions and contains the reason. */
  function finish(): ScannedChart {
    finishEntry();
    if (isNotList) skip(line, 'not a list of versions');
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
  /** True if the current field contains links. */
  isLink: boolean;
  /** Indentation of the keys, or `null` before the first key. */
  keyIndent: number | null;
  /** True if the lines of the current field are kept. */
  isKeeping: boolean;
  lines: Line[];
  /** Lines of the `sources` and `home` fields. */
  links: Line[];
  length: number;
  problem: { line: number; reason: string } | null;
}

function addField(entry: Entry, text: string, indent: number, number: number): void {
  if (text[indent] === '#' && entry.keyIndent === null) return;
  entry.keyIndent ??= indent;
  // Lines with less indentation than the keys are kept, so that the parser reports them.
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
    entry.problem ??= { line: entry.line, reason: 'larger than 16 KiB' };
    entry.lines = [];
    return;
  }
  entry.lines.push({ text, line });
}

function parseLines(lines: readonly Line[]) {
  const text = lines.map((kept) => kept.text).join('\n');
  return hasTooManyBrackets(text) ? nestedTooDeeplyResult : parseHelmEntry(text);
}

/**
 * True if the text can be nested too deeply. This is checked before parsing, because 60,000 brackets took the
 * parser 250 ms and about 400 MB.
 */
function hasTooManyBrackets(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) count += 1;
  }
  return count > maxBrackets;
}

/** Returns the index line at an offset into the joined lines, or the last earlier line with text. */
function lineAt(lines: readonly Line[], offset: number): number | undefined {
  let end = 0;
  const found = lines.find(({ text }) => {
    end += text.length + 1;
    return offset < end;
  });
  const isFound = (line: Line): boolean => line.text !== '' && (!found || line.line <= found.line);
  return lines.findLast(isFound)?.line;
}
