/** How many releases there are, and in how many of them hints were searched. */
export interface NotesTotals {
  readonly releases: number;
  /** Whether all releases are counted. */
  readonly is_exact: boolean;
  /** The newest releases up to the first one whose notes weren't read. */
  readonly read: number;
}

/** Whether the notes of all releases were read. Only then does the absence of hints mean that nothing is marked. */
export function isAllRead({ releases, is_exact, read }: NotesTotals): boolean {
  return is_exact && read === releases;
}

/** Which notes were read, without a capital and a period. `null` if all were. */
export function describeUnread(totals: NotesTotals): string | null {
  if (isAllRead(totals)) return null;
  const { read } = totals;
  return `only the notes of the newest ${read === 1 ? 'release' : `${read.toLocaleString('en-US')} releases`} were read`;
}
