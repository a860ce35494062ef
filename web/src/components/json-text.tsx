import classes from './json-text.module.css';

/** Formats JSON with line breaks. Returns null if the text isn't valid JSON. */
export function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** Machine-readable text, such as a request body. JSON is formatted with line breaks. */
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
