import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../src/generated/client-api.ts';
import classes from './label-list.module.css';

/**
 * Labels as `key=value`.
 * @param to List that each label links to, filtered by that label.
 */
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

/** Name with its labels below it in smaller type, for the first cell of a row. */
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
