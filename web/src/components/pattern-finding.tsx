import { Code, Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';

/**
 * Match of a pattern in one sample, or the reason why the pattern is invalid.
 * @param sample Null if the pattern was only compiled.
 */
export function PatternMatch({
  sample,
  result: { valid, error, group_count, match, groups },
  whenMissed,
}: {
  sample: string | null;
  result: Schemas['ValidateRegexResponse'];
  whenMissed: string;
}) {
  if (!valid) {
    return (
      <Line>
        <Mark tone="critical">Invalid pattern</Mark> {error}
      </Line>
    );
  }
  if (sample === null) {
    return (
      <Line>
        <Mark tone="ok">Valid pattern</Mark> {describeCaptureGroups(group_count)}
      </Line>
    );
  }
  if (match === null) {
    return (
      <Line>
        <Code>{sample}</Code> <Mark tone="moderate">No match</Mark>{' '}
        {groups === null ? '' : 'The pattern matches, but its first capture group is empty. '}
        {whenMissed}
      </Line>
    );
  }
  return (
    <Line>
      <Code>{sample}</Code> <Mark tone="ok">Match</Mark> → <Code>{match}</Code>
      {groups !== null && groups.length > 1 && ` (${otherGroupsText(groups)})`}
    </Line>
  );
}

function Line({ children }: { children: React.ReactNode }) {
  return (
    <Text component="div" size="sm" mb={2} style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

/**
 * Describes which part of a match a pattern uses as the version, based only on its number of capture groups.
 */
export function describeCaptureGroups(count: number): string {
  if (count === 0) return 'No capture groups: the version is the whole match.';
  return count === 1
    ? '1 capture group: the version is what it matches.'
    : `${count} capture groups: the version is what the first one matches.`;
}

function otherGroupsText(groups: readonly (string | null)[]): string {
  return groups.map((text, index) => `group ${index + 1}: ${text ?? 'not matched'}`).join(', ');
}
