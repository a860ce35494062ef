import { Link, type LinkProps } from '@tanstack/react-router';
import type { Schemas } from '../../../src/generated/client-api.ts';
import classes from './label-list.module.css';

/** Labels as key and value. @param to the list that each leads to, filtered by it. */
export function LabelList({ labels, to }: { labels: Schemas['Labels']; to?: LinkProps['to'] }) {
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
          <Link key={text} className={classes.label} to={to} search={{ label: text } as never}>
            {text}
          </Link>
        ),
      )}
    </span>
  );
}
