import { cleanLine } from '../templates/clean-text.ts';

const maxBreakingChanges = 5;
const maxLength = 200;

/** The text of a message about the hints in release notes. */
export interface HintsOfRelease {
  readonly version: string;
  readonly hints: readonly { readonly kind: string; readonly text: string }[];
}

/**
 * The first lines that releases mark as breaking or as needing action, the newest release first, each with its version: plain
 * text without anything invisible. `null` if there are none.
 */
export function breakingChanges(releases: readonly HintsOfRelease[]): string | null {
  const lines: string[] = [];
  for (const { version, hints } of releases) {
    for (const { kind, text } of hints) {
      if (lines.length === maxBreakingChanges) break;
      if (kind === 'breaking' || kind === 'action_required' || kind === 'removed')
        lines.push(cleanLine(`${version}: ${text}`, maxLength));
    }
  }
  return lines.length === 0 ? null : lines.join('\n');
}
