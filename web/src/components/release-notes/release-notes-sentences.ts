import type { Schemas } from '../../../../src/generated/client-api.ts';
import { countOf } from '../../ui/format.ts';

type ReleaseNotes = Schemas['ReleaseNotes'];
type HintKind = Schemas['NoteHint']['kind'];

/** Most important first. */
export const hintLabels: Record<HintKind, string> = {
  breaking: 'Breaking',
  action_required: 'Action required',
  removed: 'Removed',
  deprecated: 'Deprecated',
  warning: 'Warning',
  major_version: 'New major version',
  minor_version: 'New minor version below 1.0',
};

/** Such as `7 releases between 3.1.2 and 3.4.0. 2 of them are marked as breaking.` */
export function summarizeNotes({ from, to, releases, totals }: ReleaseNotes): string {
  const count = totals.releases >= 1_000 ? 'At least 1,000 releases' : countOf(totals.releases, 'release');
  const range = from === null ? `up to ${to}` : `after ${from}, up to ${to}`;
  const marked = releases.filter(({ hints }) => hints.some(({ kind }) => isBreaking(kind))).length;
  const breaking =
    marked === 0
      ? 'Nothing is marked as breaking.'
      : `${marked} ${marked === 1 ? 'is' : 'are'} marked as breaking.`;
  return `${count} ${range}. ${totals.with_notes === 0 ? 'No release notes were found.' : breaking}`;
}

export function isBreaking(kind: HintKind): boolean {
  return kind === 'breaking' || kind === 'action_required' || kind === 'removed';
}

/** The marked lines, each with its release: the most important kind first, then the newest release. */
export function listHints(releases: ReleaseNotes['releases']) {
  const order = Object.keys(hintLabels);
  return releases
    .flatMap(({ version, release_id, hints }) =>
      hints.map((hint, index) => ({ ...hint, version, key: `${release_id}/${index}` })),
    )
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}
