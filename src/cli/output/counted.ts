import { pluralOf } from '../../domain/text/plural.ts';

const grouped = new Intl.NumberFormat('en-US');

/** Formats a number with separators: `1,200`. */
export function withSeparators(count: number | bigint): string {
  return grouped.format(count);
}

/** Formats a count with its noun: `1 alert configuration`, `1,200 alert configurations`. */
export function counted(count: number, noun: string): string {
  return `${withSeparators(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}
