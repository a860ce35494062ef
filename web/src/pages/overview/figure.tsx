import { Link, type LinkProps } from '@tanstack/react-router';
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
  to,
  search,
}: {
  title: string;
  count: number;
  /** A nought is grey unless it is an alarm itself. */
  tone: MarkTone;
  isAlarm?: boolean;
  /** What the number does not say, in a few words. */
  note: string;
  to: LinkProps['to'];
  search?: Readonly<Record<string, string>>;
}) {
  return (
    <Link
      className={classes.figure}
      data-tone={count === 0 && !isAlarm ? 'quiet' : tone}
      to={to}
      search={search as never}
    >
      <span className={classes.title}>{title}</span>
      <span className={classes.count}>{count.toLocaleString('en')}</span>
      <span className={classes.note}>{note}</span>
    </Link>
  );
}
