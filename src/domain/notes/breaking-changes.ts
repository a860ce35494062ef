import { cleanLine } from '../templates/clean-text.ts';
import { describeUnread, type NotesTotals } from './unread-notes.ts';

const maxBreakingChanges = 5;
const maxLength = 200;

/** The text of a message about the hints in release notes. */
export interface HintsOfRelease {
  readonly version: string;
  readonly hints: readonly { readonly kind: string; readonly text: string }[];
}

/** Whether it marks something that breaks or needs action. */
export function isBreakingHint({ kind }: { readonly kind: string }): boolean {
  return kind === 'breaking' || kind === 'action_required' || kind === 'removed';
}

/**
 * The first lines that releases mark as breaking or as needing action, the newest release first, each with its version: plain
 * text without anything invisible. `null` if there are none. The last line says if notes weren't read.
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
