import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { fitWidth, padWidth } from './fit-width.ts';

export interface TableOptions {
  /** Width of the terminal in cells. Null if the table can be as wide as its content. */
  width: number | null;
  hasColor: boolean;
}

const gap = '  ';
/** Minimum width of a shrunk column in cells. Narrower columns would be unreadable. */
const minWidth = 6;
/**
 * Maximum width to which cells are padded if the output isn't a terminal. A longer cell is printed
 * completely, but the other rows of its column aren't padded to its width.
 */
const maxPadding = 60;

/** Renders a table with titles. In a terminal, the widest columns shrink until a row fits on one line. */
export function renderTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { width, hasColor }: TableOptions,
): string {
  // Names can contain any characters, so remove those that move the cursor.
  const cells = [titles, ...rows].map((row) => row.map((cell) => cleanLine(cell, 500)));
  const widths = widthsOf(cells);
  if (width !== null) shrink(widths, width - gap.length * (titles.length - 1));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => {
        const fitted = fitWidth(cell, widths[column]!);
        if (column === row.length - 1) return fitted;
        return padWidth(fitted, width === null ? Math.min(widths[column]!, maxPadding) : widths[column]!);
      })
      .join(gap)
      .trimEnd(),
  );
  const [head = '', ...body] = lines;
  // Skip the stream check, because `hasColor` already reflects the output.
  const shownHead = hasColor ? styleText('bold', head, { validateStream: false }) : head;
  return `${[shownHead, ...body].join('\n')}\n`;
}

/** Returns the width of the table in cells if nothing is truncated. */
export function tableWidth(titles: readonly string[], rows: readonly (readonly string[])[]): number {
  const widths = widthsOf([titles, ...rows].map((row) => row.map((cell) => cleanLine(cell, 500))));
  return widths.reduce((sum, width) => sum + width, gap.length * (titles.length - 1));
}

/**
 * Returns the width of each column.
 * @param cells The rows. The titles are the first row.
 */
function widthsOf(cells: readonly (readonly string[])[]): number[] {
  return cells[0]!.map((_, column) => Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))));
}

function shrink(widths: number[], available: number): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= minWidth) return;
    widths[widths.indexOf(widest)] = widest - 1;
    excess--;
  }
}
