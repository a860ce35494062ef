import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { cleanLine } from '../../domain/templates/clean-text.ts';
import { fitWidth, padWidth } from './fit-width.ts';

export interface TableOptions {
  /** Cells; null: as wide as it is. */
  width: number | null;
  hasColor: boolean;
}

const gap = '  ';
/** A column is not made narrower than this: less says nothing. */
const minWidth = 6;
/** Without a terminal, longer cells such as templates are complete, but don't pad the cells of other rows. */
const maxPadding = 60;

/** Rows under their titles. In a terminal the widest columns give way until a row fits into a line. */
export function renderTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { width, hasColor }: TableOptions,
): string {
  // Names may hold whatever somebody typed: nothing of it moves the cursor.
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
  // Whether there is color was decided where the output is known.
  const shownHead = hasColor ? styleText('bold', head, { validateStream: false }) : head;
  return `${[shownHead, ...body].join('\n')}\n`;
}

/** How many cells the table takes when nothing is cut. */
export function tableWidth(titles: readonly string[], rows: readonly (readonly string[])[]): number {
  const widths = widthsOf([titles, ...rows].map((row) => row.map((cell) => cleanLine(cell, 500))));
  return widths.reduce((sum, width) => sum + width, gap.length * (titles.length - 1));
}

/** @param cells The titles first. */
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
