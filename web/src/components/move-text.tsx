import { Code, Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { RelativeTime } from '../ui/relative-time.tsx';

type Move = Schemas['ReleaseMove'];

const habitTexts: Record<NonNullable<Move['habit']>, string> = {
  moving_tag: 'As expected: this tag moves with new releases.',
  official_image: 'As expected: Docker rebuilds its official images.',
  observed: 'As expected: this source has changed published versions before.',
};

/** The last change to a release's commit or digest, and whether it's expected. */
export function ReleaseMoveText({ move }: { move: Move }) {
  return (
    <>
      Noticed <RelativeTime at={move.noticed_at} />. Before: <Code>{move.from}</Code>
      <Text size="sm" c="var(--text-muted)">
        {move.habit === null
          ? 'No known habit of the source explains this. Check the new content before you deploy this version.'
          : habitTexts[move.habit]}
      </Text>
    </>
  );
}
