import type { Column } from './resource-list.tsx';

/** Column properties that determine the width of a column and whether a narrow table drops it. */
type SizedColumn = Pick<Column<never>, 'header' | 'width' | 'sort' | 'wideOnly' | 'secondary' | 'align'>;

/** Parts of a row besides its columns. */
export interface RowExtras {
  hasCheckbox?: boolean;
  hasActions?: boolean;
}

/** Gap between columns, and the padding and border of a row, in rem. The values match the style sheet. */
const gapRem = 0.75;
const paddingRem = 1.95;
const checkboxRem = 2;
const actionsRem = 1.75;
/** Minimum width of a name column. Names wrap, so the column can be narrower than a name. */
const minNameRem = 11;
const minRem = 4.5;
/** Width of a letter in a heading, in its small bold type, and of the arrow that shows the sort order. */
const letterRem = 0.45;
const arrowRem = 1;
/** Additional space after a right-aligned column, whose numbers would otherwise touch the next column. */
const afterNumberRem = 0.75;

const trackOf = (column: SizedColumn, isFirst: boolean): { minRem: number; track: string } => {
  const { header, sort, width = 'minmax(0, 1fr)', align } = column;
  const [, least = width, most] = /^minmax\((.+), (.+)\)$/.exec(width) ?? [];
  const headingRem = header.length * letterRem + (sort === undefined ? 0 : arrowRem);
  const contentRem = Math.max(Number.parseFloat(least), headingRem, isFirst ? minNameRem : minRem);
  const rem = contentRem + (align === 'end' ? afterNumberRem : 0);
  return { minRem: rem, track: most === undefined ? `${rem}rem` : `minmax(${rem}rem, ${most})` };
};

/** Returns the grid tracks for these columns. No column is narrower than its heading. */
export function tracksOf(columns: readonly SizedColumn[], { hasCheckbox, hasActions }: RowExtras): string {
  return [
    ...(hasCheckbox ? [`${checkboxRem}rem`] : []),
    ...columns.map((column, index) => trackOf(column, index === 0).track),
    ...(hasActions ? [`${actionsRem}rem`] : []),
  ].join(' ');
}

/** Returns the width in rem that a table with these columns requires. */
function widthOf(
  columns: readonly SizedColumn[],
  { hasCheckbox = false, hasActions = false }: RowExtras,
): number {
  const widths = [
    ...(hasCheckbox ? [checkboxRem] : []),
    ...columns.map((column, index) => trackOf(column, index === 0).minRem),
    ...(hasActions ? [actionsRem] : []),
  ];
  return widths.reduce((sum, rem) => sum + rem, paddingRem + gapRem * (widths.length - 1));
}

const isOptional = ({ wideOnly, secondary }: SizedColumn) => wideOnly === true || secondary === true;

/**
 * Returns the required columns and the first `optionalCount` optional ones.
 * @param optionalCount Number of optional columns. If negative, the columns of a card are returned.
 */
export function selectColumns<Each extends SizedColumn>(
  columns: readonly Each[],
  optionalCount: number,
): Each[] {
  if (optionalCount < 0) return columns.filter(({ wideOnly }) => !wideOnly);
  let count = 0;
  return columns.filter((column) => !isOptional(column) || count++ < optionalCount);
}

/**
 * Returns the width in rem that a table requires without optional columns, with one, with two, and so on. A
 * table with less space than the first width is shown as cards.
 */
export function requiredWidths(columns: readonly SizedColumn[], ends: RowExtras): number[] {
  const optionalCount = columns.filter(isOptional).length;
  return Array.from({ length: optionalCount + 1 }, (_, count) =>
    widthOf(selectColumns(columns, count), ends),
  );
}
