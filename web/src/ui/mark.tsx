import classes from './mark.module.css';

export type MarkTone = 'ok' | 'moderate' | 'high' | 'critical' | 'busy' | 'muted';

/** A state at a glance: a coloured sign and a word. The word alone is enough to read it. */
export function Mark({
  tone,
  children,
  title,
}: {
  tone: MarkTone;
  children: React.ReactNode;
  title?: string;
}) {
  return (
    <span className={classes.mark} data-tone={tone} title={title}>
      <span className={classes.sign} aria-hidden />
      {children}
    </span>
  );
}
