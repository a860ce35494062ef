import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../src/generated/client-api.ts';
import classes from './label-list.module.css';

/** Labels as key and value. @param to the list that each leads to, filtered by it. */
export function LabelList({
  labels,
  to,
}: {
  labels: Schemas['Labels'];
  to?: '/alerts' | '/alert-configs' | '/software';
}) {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  if (texts.length === 0) return null;
  return (
    <span className={classes.labels}>
      {texts.map((text) =>
        to === undefined ? (
          <span key={text} className={classes.label}>
            {text}
          </span>
        ) : (
          <Link key={text} className={classes.label} to={to} search={{ label: text }}>
            {text}
          </Link>
        ),
      )}
    </span>
  );
}

/** A name and, smaller beneath it, its labels: the first cell of a list. */
export function NameWithLabels({ name, labels }: { name: string; labels: Schemas['Labels'] }) {
  const text = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join('  ');
  return (
    <>
      {name}
      {text !== '' && (
        <span className={classes.beneath} title={text}>
          {text}
        </span>
      )}
    </>
  );
}
