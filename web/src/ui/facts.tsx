import { Paper, Title } from '@mantine/core';
import { Breakable } from './breakable.tsx';
import classes from './facts.module.css';

/** Shows name and value pairs. Pairs that are `false` or `null` are omitted. */
export function Facts({ facts }: { facts: readonly (readonly [string, React.ReactNode] | null | false)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== null && fact !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Breakable>{value ?? '—'}</Breakable>
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** Section of a page with a heading. */
export function Section({
  id,
  title,
  actions,
  mt,
  children,
}: {
  /** Fragment of URLs that link to this section. */
  id?: string;
  title: string;
  actions?: React.ReactNode;
  /** Top margin, for a section that doesn't follow another section. */
  mt?: 'md';
  children: React.ReactNode;
}) {
  return (
    <Paper
      component="section"
      p="md"
      mt={mt}
      mb="md"
      aria-label={title}
      id={id}
      // Make the section focusable, because a link to it moves the focus there.
      tabIndex={id === undefined ? undefined : -1}
      className={classes.section}
    >
      <div className={classes.sectionHead}>
        <Title order={2}>{title}</Title>
        {actions}
      </div>
      {children}
    </Paper>
  );
}
