import { isBreakingHint } from '../../../../src/domain/notes/breaking-changes.ts';
import { isAllRead } from '../../../../src/domain/notes/unread-notes.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { countOf, formatCount } from '../../ui/format.ts';

type ReleaseNotes = Schemas['ReleaseNotes'];
type HintKind = Schemas['NoteHint']['kind'];

/** Labels of hint kinds, most important first. */
export const hintLabels: Record<HintKind, string> = {
  breaking: 'Breaking',
  action_required: 'Action required',
  removed: 'Removed',
  deprecated: 'Deprecated',
  warning: 'Warning',
  major_version: 'New major version',
  minor_version: 'New minor version below 1.0',
};

/** Summarizes release notes, for example `7 releases after 3.1.2, up to 3.4.0. 2 are marked as breaking.` */
export function summarizeNotes(notes: Pick<ReleaseNotes, 'from' | 'to' | 'releases' | 'totals'>): string {
  const { from, to, totals } = notes;
  const count = `${totals.is_exact ? '' : 'At least '}${countOf(totals.releases, 'release')}`;
  const range = from === null ? `up to ${to}` : `after ${from}, up to ${to}`;
  return `${count} ${range}. ${totals.with_notes === 0 ? 'No release notes were found.' : describeBreaking(notes)}`;
}

function describeBreaking({ releases, totals }: Pick<ReleaseNotes, 'releases' | 'totals'>): string {
  const isWhole = isAllRead(totals);
  const newest = totals.read === 1 ? 'release' : countOf(totals.read, 'release');
  const where = isWhole ? '' : ` in the newest ${newest}`;
  const unread = isWhole ? '' : " Older notes weren't read.";
  const { breaking } = totals;
  if (breaking === 0) return `Nothing is marked as breaking${where}.${unread}`;
  const unlisted = breaking - releases.filter(({ hints }) => hints.some(isBreakingHint)).length;
  const elsewhere =
    unlisted > 0
      ? ` (${formatCount(unlisted)} of them ${unlisted === 1 ? "isn't" : "aren't"} listed here)`
      : '';
  return `${formatCount(breaking)} ${breaking === 1 ? 'is' : 'are'} marked as breaking${where}${elsewhere}.${unread}`;
}

/**
 * Returns all hints with their releases, sorted by importance, then from the newest to the oldest release.
 */
export function listHints(releases: ReleaseNotes['releases']) {
  const order = Object.keys(hintLabels);
  return releases
    .flatMap(({ version, release_id, hints }) =>
      hints.map((hint, index) => ({ ...hint, version, key: `${release_id}/${index}` })),
    )
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}
