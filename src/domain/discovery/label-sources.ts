import { ownValue } from '../json/own-value.ts';

/**
 * The source of a label of an item.
 * - `path`: guessed from a directory or a file name
 * - `name`: guessed from the name of the object, cluster, or host
 * - `chart`: the name of the chart next to the file
 * - `artifact`: the name of the artifact
 * - `rule`: a label rule
 * - `given`: the cluster or host of the discovery job, or an option of the command
 * - `code_owners`: the file `CODEOWNERS`
 * - `pattern`: a custom pattern
 * - `set`: a person
 */
export const labelSources = [
  'path',
  'name',
  'chart',
  'artifact',
  'rule',
  'given',
  'code_owners',
  'pattern',
  'set',
] as const;
export type LabelSource = (typeof labelSources)[number];

/** Text for lists, such as `guessed from the path`. */
export const labelSourceTexts: Readonly<Record<LabelSource, string>> = {
  path: 'guessed from the path',
  name: 'guessed from the name',
  chart: 'guessed from the chart',
  artifact: 'guessed from the artifact',
  rule: 'from a label rule',
  given: 'from the discovery job',
  code_owners: 'from CODEOWNERS',
  pattern: 'from a custom pattern',
  set: 'set manually',
};

/** Maximum number of values in the summary of a label, and of labels in a summary. */
const maxValues = 5;
const maxKeys = 10;

/**
 * Summarizes the labels that items get when they are accepted, with one line for each combination of label
 * and source, such as `environment: prod (12), staging (3); guessed from the path`.
 */
export function labelSummary(
  items: readonly {
    labels: Readonly<Record<string, string>> | null;
    label_sources: Readonly<Record<string, LabelSource>> | null;
  }[],
): string[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { labels, label_sources } of items)
    for (const [key, value] of Object.entries(labels ?? {})) {
      const source = ownValue(label_sources ?? {}, key);
      const name = `${key}${source === undefined ? '' : `\n${labelSourceTexts[source]}`}`;
      const values = counts.get(name) ?? new Map<string, number>();
      counts.set(name, values.set(value, (values.get(value) ?? 0) + 1));
    }
  const lines = [...counts].map(([name, values]) => {
    const [key = '', source] = name.split('\n');
    const byCount = [...values].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    const shown = byCount.slice(0, maxValues).map(([value, count]) => `${value} (${count})`);
    const rest = byCount.length - shown.length;
    return `${key}: ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}${source === undefined ? '' : `; ${source}`}`;
  });
  const cut = lines.length - maxKeys;
  return cut > 0 ? [...lines.slice(0, maxKeys), `and ${cut} more`] : lines;
}
