import { toCsv } from '../../domain/csv/csv-text.ts';
import { escapeControls } from '../../domain/text/visible-controls.ts';
import type { Item } from '../call-operation.ts';
import type { CliIo } from '../cli-io.ts';
import { withSeparators } from './counted.ts';
import { formatDay, formatTime, withFormattedTimes } from './format-time.ts';
import { renderTable, tableWidth } from './table.ts';

export type OutputFormat = 'table' | 'wide' | 'json' | 'yaml' | 'csv' | 'name';

/** A column of a table. */
export interface Column {
  title: string;
  value(item: Item): unknown;
  /** Format of the value. A count gets separators, and a time is formatted for the user. */
  kind?: 'count' | 'time';
}

export interface ResultShape {
  columns: readonly Column[];
  /** Additional columns for `-o wide`. */
  wideColumns?: readonly Column[];
  /** Returns the name that `-o name` prints: `rules/7`. */
  nameOf(item: Item): string;
  /** Plural noun for the message that replaces an empty table: `rules`. */
  plural?: string;
}

/** Prints several items in the requested format. */
export async function printItems(
  io: CliIo,
  format: OutputFormat,
  items: readonly Item[],
  shape: ResultShape,
): Promise<void> {
  const isTable = format === 'table' || format === 'wide';
  if (isTable && items.length === 0) io.stderr(`No ${shape.plural ?? 'results'}.\n`);
  else if (format === 'table') io.stdout(tableOf(io, items, shape));
  else if (format === 'wide')
    io.stdout(tableOf(io, items, { columns: [...shape.columns, ...(shape.wideColumns ?? [])] }));
  else await printData(io, format, items, items, shape);
}

/** Prints one item. The table format shows all of its fields, one per line. */
export async function printItem(
  io: CliIo,
  format: OutputFormat,
  item: Item,
  shape: ResultShape,
): Promise<void> {
  if (format !== 'table' && format !== 'wide') return printData(io, format, item, [item], shape);
  const { stringify } = await import('yaml');
  io.stdout(escapeControls(stringify(withFormattedTimes(item), { lineWidth: 0 })));
}

async function printData(
  io: CliIo,
  format: Exclude<OutputFormat, 'table' | 'wide'>,
  whole: unknown,
  items: readonly Item[],
  shape: ResultShape,
): Promise<void> {
  switch (format) {
    case 'json':
      // Escape control characters, which doesn't change the meaning of the JSON.
      return io.stdout(`${escapeControls(JSON.stringify(whole, null, 2))}\n`);
    case 'yaml': {
      const { stringify } = await import('yaml');
      return io.stdout(stringify(whole, { lineWidth: 0, aliasDuplicateObjects: false }));
    }
    case 'csv': {
      const titles = [...new Set(items.flatMap((item) => Object.keys(item)))];
      return io.stdout(
        toCsv(
          titles,
          items.map((item) => titles.map((title) => item[title])),
        ),
      );
    }
    case 'name':
      return io.stdout(items.map((item) => `${shape.nameOf(item)}\n`).join(''));
  }
}

export function tableOf(
  io: CliIo,
  items: readonly Item[],
  { columns }: Pick<ResultShape, 'columns'>,
): string {
  const titles = columns.map(({ title }) => title);
  const rowsWith = (toTime: TimeFormat) =>
    items.map((item) => columns.map((column) => cellText(column.value(item), column.kind, toTime)));
  const rows = rowsWith(formatTime);
  // If space is limited, show only the day, so that names aren't truncated.
  const isNarrow = io.columns !== null && tableWidth(titles, rows) > io.columns;
  return renderTable(titles, isNarrow ? rowsWith(formatDay) : rows, {
    width: io.columns,
    hasColor: io.hasColor,
  });
}

type TimeFormat = (value: unknown) => unknown;

/** Formats a value for a table cell. */
export function cellText(value: unknown, kind?: Column['kind'], toTime: TimeFormat = formatTime): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((each) => cellText(each)).join(', ');
  if (kind === 'count' && typeof value === 'number') return withSeparators(value);
  if (kind === 'time') return String(toTime(value));
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return JSON.stringify(value);
}
