import classes from './json-text.module.css';

/** JSON with line breaks; null when it is none. */
export function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** A text from or for another program; JSON is shown in lines. */
export function JsonText({
  text,
  label,
  maxHeight = 420,
}: {
  text: string;
  label: string;
  maxHeight?: number;
}) {
  return (
    <pre className={classes.text} style={{ maxHeight }} tabIndex={0} role="region" aria-label={label}>
      {prettyJson(text) ?? text}
    </pre>
  );
}
