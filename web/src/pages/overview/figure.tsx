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

/** A number that leads to what it counts. */
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
  /** A nought is grey unless it is an alarm itself. */
  tone: MarkTone;
  isAlarm?: boolean;
  /** What the number does not say, in a few words. */
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
