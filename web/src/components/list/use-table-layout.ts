import { useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { type RowExtras, requiredWidths, selectColumns, tracksOf } from './fit-columns.ts';
import type { Column } from './resource-list.tsx';

/** Width of the text area of an A4 page: 182 mm at 12 px per rem, as in `page.css`. */
const paperRem = 57.3;

/**
 * Chooses the layout of a table for its available width: all columns, fewer optional columns, or cards. The layout
 * depends on the width of the table instead of the window, because the table can be next to the navigation, in a
 * section, or in a dialog.
 */
export function useTableLayout<Item>(all: readonly Column<Item>[], { hasCheckbox, hasActions }: RowExtras) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const listed = useMemo(() => all.filter(({ csvOnly }) => !csvOnly), [all]);
  const widths = requiredWidths(listed, { hasCheckbox, hasActions }).join(' ');
  /** Number of required widths that fit. Zero means cards. */
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    if (element === null) return;
    const fit = (rem: number) => setFitting(widths.split(' ').filter((width) => Number(width) <= rem).length);
    const measure = () => {
      const { fontSize } = getComputedStyle(document.documentElement);
      // Skip hidden elements, because they have no width.
      if (element.offsetWidth > 0) fit(element.offsetWidth / Number.parseFloat(fontSize));
    };
    const print = () => flushSync(() => fit(paperRem));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('beforeprint', print);
    window.addEventListener('afterprint', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', print);
      window.removeEventListener('afterprint', measure);
    };
  }, [element, widths]);
  const isCards = fitting === 0;
  const columns = useMemo(() => selectColumns(listed, fitting - 1), [listed, fitting]);
  return {
    columns,
    isCards,
    table: {
      ref: setElement,
      'data-cards': isCards || undefined,
      style: { '--tracks': tracksOf(columns, { hasCheckbox, hasActions }) } as React.CSSProperties,
    },
  };
}
