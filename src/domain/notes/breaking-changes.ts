import { cleanLine } from '../templates/clean-text.ts';
import { describeUnread, type NotesTotals } from './unread-notes.ts';

const maxBreakingChanges = 5;
const maxLength = 200;

/** Hints in the notes of one release. */
export interface HintsOfRelease {
  readonly version: string;
  readonly hints: readonly { readonly kind: string; readonly text: string }[];
}

/** True if a hint marks a breaking change, a removal, or a required action. */
export function isBreakingHint({ kind }: { readonly kind: string }): boolean {
  return kind === 'breaking' || kind === 'action_required' || kind === 'removed';
}

/**
 * Returns up to five lines of release notes that are marked as breaking, as a removal, or as requiring
 * action. The newest release comes first, and each line starts with the version. The lines are plain text
 * without invisible characters. If some notes weren't read, the last of the lines states that. Returns `null`
 * if no line is marked.
 */
export function breakingChanges(releases: readonly HintsOfRelease[], totals: NotesTotals): string | null {
  const unread = describeUnread(totals);
  const maxLines = unread === null ? maxBreakingChanges : maxBreakingChanges - 1;
  const lines: string[] = [];
  for (const { version, hints } of releases) {
    for (const hint of hints) {
      if (lines.length === maxLines) break;
      if (isBreakingHint(hint)) lines.push(cleanLine(`${version}: ${hint.text}`, maxLength));
    }
  }
  if (lines.length === 0) return null;
  return [...lines, ...(unread === null ? [] : [`(${unread})`])].join('\n');
}
