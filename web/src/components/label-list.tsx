import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Breakable } from '../ui/breakable.tsx';
import classes from './label-list.module.css';

/** Number of labels in a row of a list. */
const mostInRow = 2;

/**
 * Labels as `key=value`.
 * @param to List that each label links to, filtered by that label. Without it, only the first labels are shown.
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
  // In a row of a list, more labels would make the row too high.
  const shown = to === undefined ? texts.slice(0, mostInRow) : texts;
  const others = texts.slice(shown.length);
  return (
    <span className={classes.labels}>
      {shown.map((text) =>
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
      {others.length > 0 && (
        <span className={classes.label} title={others.join('\n')}>
          +{others.length}
        </span>
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
      <Breakable>{name}</Breakable>
      {text !== '' && (
        <span className={classes.beneath} title={text}>
          {text}
        </span>
      )}
    </>
  );
}
