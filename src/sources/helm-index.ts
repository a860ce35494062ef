import { RunError } from '../domain/runs/run-error.ts';
import { createTextDecoder } from './body-text.ts';
import { createChartScanner, maxVersionsPerChart, type ScannedChart } from './helm-chart-scanner.ts';
import { isBlankOrComment, isDashAt, quoteLine, readKey, withoutProperties } from './helm-lines.ts';
import { readWholeIndex } from './helm-whole-index.ts';
import { isWebPage, webPageAdvice } from './json-body.ts';

/** Limits of an index: ten times the numbers of the largest public indexes. */
const maxVersions = 250_000;
const maxCharts = 50_000;

/** One chart of an index. A block map can be split while it arrives, so charts are yielded one at a time. */
export type HelmIndexItem =
  | ({
      kind: 'chart';
      /**
       * False if the text ends within the chart, so that versions might be missing. In a whole index, Helm writes another
       * key after the charts.
       */
      isEnded: boolean;
    } & ScannedChart)
  /** An invalid chart below `entries:`. */
  | { kind: 'skipped'; line: number; name: string; reason: string };

export interface HelmIndexOptions {
  /** Host of the index, for error messages. */
  host: string;
  /**
   * Returns true to read a chart. Called once per chart. The lines of other charts are skipped without
   * parsing.
   */
  wants: (chart: string) => boolean;
  /**
   * Called after the last line. `isEnded` is false if the text ends below `entries`, so that the index may be
   * truncated, regardless of which charts are selected.
   */
  onEnd?: (isEnded: boolean) => void;
}

/**
 * Yields the charts of a Helm index while its text arrives. Each chart is yielded when the next one begins,
 * so callers can stop early. The index is split by lines at the charts of `entries:`, and only the entries of
 * selected charts are parsed, one by one. Unreadable entries are skipped and reported. An index in flow style
 * or JSON is parsed as a whole, with a lower size limit.
 *
 * @throws RunError `invalid_index` with the line if the text isn't an index, or `too_large`.
 */
export async function* readHelmIndex(
  body: AsyncIterable<Uint8Array>,
  options: HelmIndexOptions,
): AsyncGenerator<HelmIndexItem, void, undefined> {
  const scanner = createIndexScanner(options);
  const decoder = createTextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const text = rest + decoder.decode(chunk);
    const end = text.lastIndexOf('\n');
    rest = text.slice(end + 1);
    // A long line without an end is usually JSON on one line. Storing its parts avoids searching the whole
    // line again with every piece.
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
  rest += decoder.end();
  scanner.addLine(rest);
  const isEnded = scanner.finish(rest === '');
  options.onEnd?.(isEnded);
  yield* scanner.take();
}

type Place =
  /** Only comments have been read so far. */
  | 'start'
  /** The line is below a top-level key other than `entries`. */
  | 'elsewhere'
  | 'entries'
  /** The index is in flow style, so all of its lines are collected. */
  | 'whole'
  /** The document has ended. */
  | 'end';

/** Creates a scanner that processes the lines of an index in order. */
function createIndexScanner({ host, wants }: HelmIndexOptions) {
  let place: Place = 'start';
  let lineNumber = 0;
  let hasEntries = false;
  /**
   * True after the key that Helm writes last. If this key precedes the charts, the text doesn't show whether the charts
   * are complete.
   */
  let hasGenerated = false;
  let chartIndent: number | null = null;
  let isInChart = false;
  /** Scanner of the current chart, or `null` while an unselected chart is skipped. */
  let chart: ReturnType<typeof createChartScanner> | null = null;
  /** Beginning of a line whose end hasn't arrived yet. */
  let parts: string[] = [];
  const flowLines: string[] = [];
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
      flowLines.push(text);
      return;
    }
    let indent = 0;
    while (text.charCodeAt(indent) === 0x20) indent += 1;
    const first = text[indent];
    const isBlank = first === undefined || (first <= ' ' && text.trim() === '');
    if (isBlank) chart?.addLine('', 0, lineNumber);
    else if (place === 'entries' && indent > 0) addBelowEntries(text, indent);
    else if (indent === 0) addTop(text);
    // In rare cases, the whole map is indented, so it's parsed as a whole.
    else if (place === 'start' && first !== '#') startWhole(text);
  }

  /** Processes a line without indentation, which begins a new key, regardless of the previous lines. */
  function addTop(text: string): void {
    if (text.startsWith('#') || (place === 'start' && /^(?:%|---(?:\s*$|\s+#))/u.test(text))) return;
    if (/^(?:---|\.\.\.)(?:\s|$)/u.test(text)) {
      finishChart();
      place = 'end';
      return;
    }
    if (place === 'start' && /^[[{]/u.test(text)) return startWhole(text);
    if (place === 'entries' && isDashAt(text, 0)) throw listError();
    finishChart();
    const key = readKey(text);
    if (!key && place === 'start' && isWebPage(text)) {
      throw invalid(lineNumber, `found ${quoteLine(text)}, which begins a web page. ${webPageAdvice}`);
    }
    if (!key) throw invalid(lineNumber, `expected a key such as entries, found ${quoteLine(text)}`);
    place = 'elsewhere';
    hasGenerated ||= key.name === 'generated';
    if (key.name !== 'entries') return;
    hasEntries = true;
    const inline = withoutProperties(key.rest);
    if (inline === '') place = 'entries';
    else if (!/^(?:~|null|\{\s*\})(?:\s+#.*)?$/u.test(inline)) startWhole(text);
  }

  function startWhole(text: string): void {
    place = 'whole';
    blockStart = lineNumber;
    flowLines.push(text);
  }

  function addBelowEntries(text: string, indent: number): void {
    if (isInChart && chartIndent !== null) {
      // A list can have the same indentation as its key, and so can the closing bracket in flow style.
      const belongs =
        indent > chartIndent ||
        (indent === chartIndent && (isDashAt(text, indent) || /[\]}]/u.test(text[indent] ?? '')));
      if (belongs) {
        chart?.addLine(text, indent, lineNumber);
        if (chart && chart.count() > maxVersionsPerChart) throw tooManyVersions();
        return;
      }
    }
    if (isBlankOrComment(text)) return;
    if (text[indent] === '\t') throw invalid(lineNumber, 'tabs are used for indentation');
    chartIndent ??= indent;
    if (indent !== chartIndent) {
      throw invalid(lineNumber, 'unexpected indentation');
    }
    if (isDashAt(text, indent)) throw listError();
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

  function listError(): RunError {
    return invalid(lineNumber, 'expected entries to be a map of charts, found a list');
  }

  function tooManyVersions(): RunError {
    return new RunError(
      'too_large',
      `A chart in the index of ${host} has more than ${maxVersionsPerChart} versions (line ${lineNumber}).`,
    );
  }

  function indexTooLarge(): RunError {
    return new RunError(
      'too_large',
      `The index of ${host} has more than ${maxVersions} versions or ${maxCharts} charts (line ${lineNumber}).`,
    );
  }

  function finishChart(isEnded = true): void {
    if (chart) {
      ready.push({ kind: 'chart', isEnded, ...chart.finish() });
      if (chart.count() > maxVersionsPerChart) throw tooManyVersions();
      versionCount += chart.count();
      chartCount += 1;
      if (versionCount > maxVersions || chartCount > maxCharts) throw indexTooLarge();
    }
    chart = null;
    isInChart = false;
  }

  /**
   * Ends the index.
   *
   * @param isLineEnded True if the text ends with a line break.
   * @returns True if nothing shows that the index was truncated.
   */
  function finish(isLineEnded: boolean): boolean {
    if (place === 'whole') {
      finishBlock();
      return true;
    }
    const isEnded = place !== 'entries' || (hasGenerated && isLineEnded);
    finishChart(isEnded);
    if (!hasEntries) {
      throw invalid(lineNumber, 'missing the entries key; not a Helm repository index');
    }
    return isEnded;
  }

  function finishBlock(): void {
    const result = readWholeIndex(flowLines.join('\n'), wants);
    if (result.ok) {
      ready = result.charts.map((item) => ({
        kind: 'chart',
        isEnded: true,
        ...item,
        line: item.line + blockStart - 1,
      }));
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
