import classes from './mark.module.css';

export type MarkTone = 'ok' | 'moderate' | 'high' | 'critical' | 'busy' | 'neutral' | 'muted';

/** Status with a colored symbol and a label. The label is sufficient without the color. */
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

/** Symbol of a tone without a label. The label, or its meaning in a legend, is elsewhere. */
export function ToneSign({ tone }: { tone: MarkTone }) {
  return (
    <span className={classes.mark} data-tone={tone} aria-hidden>
      <span className={classes.sign} />
    </span>
  );
}
