import { Link } from '@tanstack/react-router';
import { Breakable } from '../../ui/breakable.tsx';
import type { PageLink } from '../../ui/links.tsx';
import classes from './resource-list.module.css';
import type { Column } from './resource-list.tsx';

/** Cell of a row. The first cell links to the page of the item. */
export function DataCell<Item>({
  column: { header, cell, align },
  item,
  isFirst,
  link,
}: {
  column: Column<Item>;
  item: Item;
  isFirst: boolean;
  link: PageLink | null | undefined;
}) {
  return (
    <span
      role="cell"
      className={classes.cell}
      data-label={header}
      data-first={isFirst || undefined}
      data-align={align}
    >
      {link ? (
        <Link className={classes.link} {...link}>
          <Breakable>{cell(item)}</Breakable>
        </Link>
      ) : (
        <Breakable>{cell(item)}</Breakable>
      )}
    </span>
  );
}
