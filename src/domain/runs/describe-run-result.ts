import { pluralOf } from '../text/plural.ts';

/** The figures of a run's summary that describe its result. The API contract describes each field. */
export interface RunFigures {
  not_modified?: boolean;
  found?: number;
  added?: number;
  updated?: number;
  withdrawn?: number;
  skipped?: number;
  silent_count?: number;
  unread_count?: number;
  unread?: number;
  held?: number;
  renamed?: number;
  requested?: number;
  unchanged?: number;
  replaced?: number;
  missing?: number;
  gone?: number;
  recorded?: number;
  charts?: number;
  gather_jobs_created?: number;
  version?: string;
  is_change?: boolean;
  warnings?: readonly string[];
}

/**
 * True if a run changed something that Pacekeeper stores. The rows of such runs are never shared with other runs.
 */
export function hasChanges(figures: RunFigures & { changed?: number }): boolean {
  const { added, updated, withdrawn, replaced, missing, gone, recorded, renamed } = figures;
  const { requested, gather_jobs_created, is_change, changed } = figures;
  return Boolean(
    added ||
      updated ||
      withdrawn ||
      replaced ||
      missing ||
      gone ||
      recorded ||
      renamed ||
      requested ||
      gather_jobs_created ||
      is_change ||
      changed,
  );
}

/**
 * Fields of a summary that state a problem. A run with a different problem than the previous run has its own
 * row.
 */
export const noticeFields = ['warnings', 'list_cut', 'held', 'unread', 'unread_count'] as const;

/** Returns the fields of a summary that state a problem. */
export function noticesOf(summary: RunFigures & { list_cut?: string }): Partial<RunFigures> {
  return Object.fromEntries(
    noticeFields.flatMap((field) => {
      const value = summary[field];
      return value && !(Array.isArray(value) && value.length === 0) ? [[field, value]] : [];
    }),
  );
}

/**
 * Kind of result that a run finds. Most runs find releases. A discovery job finds deployed versions,
 * including versions that it can't propose, and a repository group finds repositories.
 */
export type RunSubject = 'release' | 'version' | 'repository';

const skippedWords = {
  release: 'excluded',
  version: 'not proposed',
  repository: 'excluded',
} as const satisfies Record<RunSubject, string>;

/**
 * Returns the result of a successful run in one line. The line contains every figure that isn't zero and the
 * first warning. It doesn't contain the effort of the run, such as the number of requests. Losses come first,
 * because someone may have to act on them.
 *
 * @param checks Number of runs: this one and those after it without changes.
 */
export function describeRunResult(
  figures: RunFigures,
  what: 'release' | 'version' = 'release',
  checks = 1,
): string {
  const withoutChanges = (number: number) => count(number, 'check without changes', 'checks without changes');
  const isUnchangedThroughout = checks > 1 && !hasChanges(figures);
  const subject = figures.requested === undefined ? what : 'repository';
  const losses = [
    count(figures.held, 'held until you confirm their removal'),
    count(figures.replaced, 'replaced by another artifact'),
    count(figures.gone, 'gone'),
    count(figures.withdrawn, 'removed'),
    count(figures.missing, 'missing'),
    count(figures.unread, 'unread'),
    count(figures.unread_count, 'file not read', 'files not read'),
  ];
  const changes = [
    figures.version === undefined || isUnchangedThroughout
      ? null
      : `${figures.is_change ? 'New version:' : 'No change, version'} ${figures.version}`,
    count(figures.added, `new ${subject}`, `new ${pluralOf(subject)}`),
    count(figures.updated, 'changed'),
    count(figures.recorded, 'deployed version changed', 'deployed versions changed'),
    count(figures.renamed, 'renamed'),
    count(figures.requested, 'scan requested', 'scans requested'),
    count(figures.gather_jobs_created, 'source created', 'sources created'),
  ];
  const others = [
    // `found` counts the charts of a Helm repository again.
    count(figures.charts, 'chart found', 'charts found'),
    figures.not_modified || figures.charts ? null : count(figures.found, 'in total'),
    count(figures.unchanged, 'unchanged'),
    count(figures.skipped, skippedWords[subject]),
    count(figures.silent_count, 'file without versions', 'files without versions'),
  ];
  const [warning, ...moreWarnings] = figures.warnings ?? [];
  const isUnchanged = warning === undefined && [...losses, ...changes].every((part) => part === null);
  const parts = [
    isUnchangedThroughout ? withoutChanges(checks) : null,
    ...losses,
    ...changes,
    isUnchanged && !isUnchangedThroughout ? 'No changes' : null,
    isUnchangedThroughout && figures.version !== undefined ? `version ${figures.version}` : null,
    ...others,
  ].filter((part) => part !== null);
  const warnings = [warning, count(moreWarnings.length, 'more warning.', 'more warnings.')].filter(Boolean);
  // A semicolon separates the results of the first run from the checks after it.
  const after = checks > 1 && !isUnchangedThroughout ? `; then ${withoutChanges(checks - 1)}` : '';
  if (warnings.length === 0) return `${parts.join(', ')}${after}`;
  return [...(parts.length > 0 ? [`${parts.join(', ')}${after}.`] : []), ...warnings].join(' ');
}

/** Returns a figure with its label, or `null` if the figure is zero or absent. */
function count(value: number | undefined, one: string, many: string = one): string | null {
  return value ? `${value.toLocaleString('en-US')} ${value === 1 ? one : many}` : null;
}
