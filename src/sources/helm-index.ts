import { RunError } from '../domain/runs/run-error.ts';
import { createChartScanner, maxVersionsPerChart, type ScannedChart } from './helm-chart-scanner.ts';
import { isDashAt, isVoid, readKey, shown, withoutProperties } from './helm-lines.ts';
import { readWholeIndex } from './helm-whole-index.ts';

/** Ten times what the largest public indexes hold. */
const maxVersions = 250_000;
const maxCharts = 50_000;

/** One chart of an index: a block map can be cut while it arrives, so these come one at a time. */
export type HelmIndexItem =
  | ({ kind: 'chart' } & ScannedChart)
  /** An invalid chart in `entries:`. */
  | { kind: 'skipped'; line: number; name: string; reason: string };

export interface HelmIndexOptions {
  /** For messages: the host that the index is from. */
  host: string;
  /** Whether to read a chart. Called once for each chart; the lines of the others are only skipped. */
  wants: (chart: string) => boolean;
}

/**
 * The charts of a Helm index, whose text arrives in pieces. Each chart is yielded when the next one begins, so
 * callers can leave the loop early. The index is split by lines at the charts of `entries:`, and only the entries
 * of selected charts are parsed, one by one. Unreadable entries are skipped and reported. An index in flow style or
 * JSON is parsed as a whole, within a tighter limit.
 * @throws RunError `invalid_index` with the line if it isn't an index, or `too_large`.
 */
export async function* readHelmIndex(
  body: AsyncIterable<Uint8Array>,
  options: HelmIndexOptions,
): AsyncGenerator<HelmIndexItem, void, undefined> {
  const scanner = createIndexScanner(options);
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of body) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    // A line without an end is JSON on one line. Search for its end once, not with every piece.
    if (end < 0 && rest.length > 65_536) {
      scanner.addPart(rest);
      rest = '';
    }
    for (let at = 0; at <= end; ) {
      const lineEnd = text.indexOf('\n', at);
      scanner.addLine(text.slice(at, text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd));
      at = lineEnd + 1;
    }
    yield* scanner.take();
  }
  scanner.addLine(rest + decoder.decode());
  scanner.finish();
  yield* scanner.take();
}

type Place =
  /** Nothing but comments so far. */
  | 'start'
  /** Below a top-level key other than `entries`. */
  | 'elsewhere'
  | 'entries'
  /** Flow style: everything is collected. */
  | 'whole'
  /** After the end of the document. */
  | 'end';

/** Follows the lines of an index from its top. */
function createIndexScanner({ host, wants }: HelmIndexOptions) {
  let place: Place = 'start';
  let lineNumber = 0;
  let hasEntries = false;
  let chartIndent: number | null = null;
  let isInChart = false;
  /** Null while an unselected chart is skipped. */
  let chart: ReturnType<typeof createChartScanner> | null = null;
  /** The beginning of a line whose end has not arrived. */
  let parts: string[] = [];
  const whole: string[] = [];
  let blockStart = 1;
  let ready: HelmIndexItem[] = [];
  let versionCount = 0;
  let chartCount = 0;

  const invalid = (line: number, problem: string): RunError =>
    new RunError('invalid_index', `Can't read the index of ${host}: line ${line}: ${problem}.`);

  function addPart(part: string): void {
    parts.push(part);
  }

  function addLine(end: string): void {
    const text = parts.length === 0 ? end : [...parts, end].join('');
    parts = [];
    lineNumber += 1;
    if (place === 'end') return;
    if (place === 'whole') {
      whole.push(text);
      return;
    }
    let indent = 0;
    while (text.charCodeAt(indent) === 0x20) indent += 1;
    const first = text[indent];
    const isBlank = first === undefined || (first <= ' ' && text.trim() === '');
    if (isBlank) chart?.addLine('', 0, lineNumber);
    else if (place === 'entries' && indent > 0) addBelowEntries(text, indent);
    else if (indent === 0) addTop(text);
    // A map that is indented as a whole, which is rare.
    else if (place === 'start' && first !== '#') startWhole(text);
  }

  /** A line without indentation begins a new key, regardless of what precedes it. */
  function addTop(text: string): void {
    if (text.startsWith('#') || (place === 'start' && /^(?:%|---(?:\s+#.*)?\s*$)/u.test(text))) return;
    if (/^(?:---|\.\.\.)(?:\s|$)/u.test(text)) {
      finishChart();
      place = 'end';
      return;
    }
    if (place === 'start' && /^[[{]/u.test(text)) return startWhole(text);
    if (place === 'entries' && isDashAt(text, 0)) throw isList();
    finishChart();
    const key = readKey(text);
    if (!key) throw invalid(lineNumber, `expected a key such as entries, found ${shown(text)}`);
    place = 'elsewhere';
    if (key.name !== 'entries') return;
    hasEntries = true;
    const inline = withoutProperties(key.rest);
    if (inline === '') place = 'entries';
    else if (!/^(?:~|null|\{\s*\})(?:\s+#.*)?$/u.test(inline)) startWhole(text);
  }

  function startWhole(text: string): void {
    place = 'whole';
    blockStart = lineNumber;
    whole.push(text);
  }

  function addBelowEntries(text: string, indent: number): void {
    if (isInChart && chartIndent !== null) {
      // A list can be indented like its key, and so can the closing bracket in flow style.
      const belongs =
        indent > chartIndent ||
        (indent === chartIndent && (isDashAt(text, indent) || /[\]}]/u.test(text[indent] ?? '')));
      if (belongs) {
        chart?.addLine(text, indent, lineNumber);
        if (chart && chart.count() > maxVersionsPerChart) throw tooManyVersions();
        return;
      }
    }
    if (isVoid(text)) return;
    if (text[indent] === '\t') throw invalid(lineNumber, 'tabs are used for indentation');
    chartIndent ??= indent;
    if (indent !== chartIndent) {
      throw invalid(lineNumber, 'unexpected indentation');
    }
    if (isDashAt(text, indent)) throw isList();
    finishChart();
    isInChart = true;
    const key = readKey(text.slice(indent));
    if (key) {
      chart = wants(key.name) ? createChartScanner(key.name, lineNumber, key.rest) : null;
    } else {
      ready.push({
        kind: 'skipped',
        line: lineNumber,
        name: text.trim().slice(0, 100),
        reason: 'invalid chart name',
      });
    }
  }

  function isList(): RunError {
    return invalid(lineNumber, 'expected entries to be a map of charts, found a list');
  }

  function tooManyVersions(): RunError {
    return new RunError(
      'too_large',
      `A chart in the index of ${host} has more than ${maxVersionsPerChart} versions (line ${lineNumber}).`,
    );
  }

  function tooMuch(): RunError {
    return new RunError(
      'too_large',
      `The index of ${host} has more than ${maxVersions} versions or ${maxCharts} charts (line ${lineNumber}).`,
    );
  }

  function finishChart(): void {
    if (chart) {
      ready.push({ kind: 'chart', ...chart.finish() });
      if (chart.count() > maxVersionsPerChart) throw tooManyVersions();
      versionCount += chart.count();
      chartCount += 1;
      if (versionCount > maxVersions || chartCount > maxCharts) throw tooMuch();
    }
    chart = null;
    isInChart = false;
  }

  function finish(): void {
    if (place === 'whole') return finishBlock();
    finishChart();
    if (!hasEntries) {
      throw invalid(lineNumber, 'missing the entries key; not a Helm repository index');
    }
  }

  function finishBlock(): void {
    const result = readWholeIndex(whole.join('\n'), wants);
    if (result.ok) {
      ready = result.charts.map((item) => ({ kind: 'chart', ...item, line: item.line + blockStart - 1 }));
      if (result.charts.some(({ versions }) => versions.length > maxVersionsPerChart))
        throw tooManyVersions();
    } else if (result.isTooLarge) {
      throw new RunError('too_large', `The index of ${host} is ${result.problem}.`);
    } else {
      throw invalid(blockStart + result.line - 1, result.problem);
    }
  }

  function take(): HelmIndexItem[] {
    const items = ready;
    ready = [];
    return items;
  }

  return { addPart, addLine, finish, take };
}
