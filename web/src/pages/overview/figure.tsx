import { Link } from '@tanstack/react-router';
import type { PageLink } from '../../ui/links.tsx';
import type { MarkTone } from '../../ui/mark.tsx';
import classes from './figure.module.css';

/** A row of figures. */
export function Figures({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <nav className={classes.figures} aria-label={label}>
      {children}
    </nav>
  );
}

/** Count that links to the list of the counted items. */
export function Figure({
  title,
  count,
  tone,
  isAlarm = false,
  note,
  link,
}: {
  title: string;
  count: number;
  /** Color of the number. Zero is gray unless `isAlarm` is set. */
  tone: MarkTone;
  isAlarm?: boolean;
  /** Short note that explains the number. */
  note: React.ReactNode;
  link: PageLink;
}) {
  return (
    <Link className={classes.figure} data-tone={count === 0 && !isAlarm ? 'quiet' : tone} {...link}>
      <span className={classes.title}>{title}</span>
      <span className={classes.count}>{count.toLocaleString('en')}</span>
      <span className={classes.note}>{note}</span>
    </Link>
  );
}
