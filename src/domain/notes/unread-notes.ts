/** Number of releases, and number of releases whose notes were searched for hints. */
export interface NotesTotals {
  readonly releases: number;
  /** True if `releases` counts all releases. */
  readonly is_exact: boolean;
  /** Number of releases whose notes were read without a gap, counted from the newest release. */
  readonly read: number;
}

/**
 * True if the notes of all releases were read. Only then does the absence of hints mean that no release is
 * marked as breaking.
 */
export function isAllRead({ releases, is_exact, read }: NotesTotals): boolean {
  return is_exact && read === releases;
}

/**
 * Returns which notes were read, as a part of a sentence, without a capital letter or a period. Returns
 * `null` if all notes were read.
 */
export function describeUnread(totals: NotesTotals): string | null {
  if (isAllRead(totals)) return null;
  const { read } = totals;
  return `only the notes of the newest ${read === 1 ? 'release' : `${read.toLocaleString('en-US')} releases`} were read`;
}
