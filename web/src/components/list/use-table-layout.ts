import { useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { columnsWith, type RowEnds, requiredWidths, tracksOf } from './fit-columns.ts';
import type { Column } from './resource-list.tsx';

/** The text of an A4 page: 182 mm at 12 px per rem, as in `page.css`. */
const paperRem = 57.3;

/**
 * How a table is shown in the room that it has: with all columns, without some of those that are for wide screens only, or
 * as cards. The room is that of the table, because a page has it next to the navigation, in a section, or in a dialog.
 */
export function useTableLayout<Item>(all: readonly Column<Item>[], { hasCheckbox, hasActions }: RowEnds) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const listed = useMemo(() => all.filter(({ csvOnly }) => !csvOnly), [all]);
  const widths = requiredWidths(listed, { hasCheckbox, hasActions }).join(' ');
  /** How many of the required widths fit: none means cards. */
  const [fitting, setFitting] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    if (element === null) return;
    const fit = (rem: number) => setFitting(widths.split(' ').filter((width) => Number(width) <= rem).length);
    const measure = () => {
      const { fontSize } = getComputedStyle(document.documentElement);
      // Hidden elements have no width.
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
  const columns = useMemo(() => columnsWith(listed, fitting - 1), [listed, fitting]);
  return {
    columns,
    table: {
      ref: setElement,
      'data-cards': isCards || undefined,
      style: { '--tracks': tracksOf(columns, { hasCheckbox, hasActions }) } as React.CSSProperties,
    },
  };
}
