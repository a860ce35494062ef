import type { Column } from './resource-list.tsx';

/** What decides how wide a column is, and whether a table that is short of room drops it. */
type Sized = Pick<Column<never>, 'header' | 'width' | 'sort' | 'wideOnly' | 'secondary'>;

/** What a row has besides its columns. */
export interface RowEnds {
  hasCheckbox?: boolean;
  hasActions?: boolean;
}

/** In rem, as in the style sheet: the gap between two columns, the padding of a row, and its border. */
const gapRem = 0.75;
const paddingRem = 1.95;
const checkboxRem = 2;
const actionsRem = 1.75;
/** Names wrap, so they are readable in less than their length. */
const minNameRem = 11;
const minRem = 4.5;
/** Of a letter of a heading, in its small bold type, and of the arrow that shows the order. */
const letterRem = 0.45;
const arrowRem = 1;

const trackOf = (column: Sized, isFirst: boolean): { minRem: number; track: string } => {
  const { header, sort, width = 'minmax(0, 1fr)' } = column;
  const [, least = width, most] = /^minmax\((.+), (.+)\)$/.exec(width) ?? [];
  const headingRem = header.length * letterRem + (sort === undefined ? 0 : arrowRem);
  const rem = Math.max(Number.parseFloat(least), headingRem, isFirst ? minNameRem : minRem);
  return { minRem: rem, track: most === undefined ? `${rem}rem` : `minmax(${rem}rem, ${most})` };
};

/** The tracks of a grid for these columns: none is narrower than its heading. */
export function tracksOf(columns: readonly Sized[], { hasCheckbox, hasActions }: RowEnds): string {
  return [
    ...(hasCheckbox ? [`${checkboxRem}rem`] : []),
    ...columns.map((column, index) => trackOf(column, index === 0).track),
    ...(hasActions ? [`${actionsRem}rem`] : []),
  ].join(' ');
}

/** The width that a table of these columns requires, in rem. */
function widthOf(columns: readonly Sized[], { hasCheckbox = false, hasActions = false }: RowEnds): number {
  const widths = [
    ...(hasCheckbox ? [checkboxRem] : []),
    ...columns.map((column, index) => trackOf(column, index === 0).minRem),
    ...(hasActions ? [actionsRem] : []),
  ];
  return widths.reduce((sum, rem) => sum + rem, paddingRem + gapRem * (widths.length - 1));
}

const isOptional = ({ wideOnly, secondary }: Sized) => wideOnly === true || secondary === true;

/**
 * The columns of a table, with the first so many of those that it can do without.
 * @param optionalCount negative for cards
 */
export function columnsWith<Each extends Sized>(columns: readonly Each[], optionalCount: number): Each[] {
  if (optionalCount < 0) return columns.filter(({ wideOnly }) => !wideOnly);
  let count = 0;
  return columns.filter((column) => !isOptional(column) || count++ < optionalCount);
}

/**
 * The width that a table requires with no optional column, with the first of them, and so on. A table narrower than the
 * first of these widths is shown as cards.
 */
export function requiredWidths(columns: readonly Sized[], ends: RowEnds): number[] {
  const optionalCount = columns.filter(isOptional).length;
  return Array.from({ length: optionalCount + 1 }, (_, count) => widthOf(columnsWith(columns, count), ends));
}
