import { Paper, Title } from '@mantine/core';
import classes from './facts.module.css';

/** What is known of one thing, as pairs of a name and a value. Pairs that are `false` or null are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, React.ReactNode] | null | false)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== null && fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '—'}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A part of a page with its own heading. */
export function Section({
  title,
  actions,
  mt,
  children,
}: {
  title: string;
  actions?: React.ReactNode;
  /** For a section that follows something other than a section. */
  mt?: 'md';
  children: React.ReactNode;
}) {
  return (
    <Paper component="section" p="md" mt={mt} mb="md" aria-label={title}>
      <div className={classes.sectionHead}>
        <Title order={2}>{title}</Title>
        {actions}
      </div>
      {children}
    </Paper>
  );
}
