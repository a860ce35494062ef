import { Text } from '@mantine/core';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { Mark } from '../ui/mark.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

type Release = Schemas['Release'];

/** Status of a release, which determines whether it's used in comparisons. */
export function ReleaseMark({
  release,
}: {
  release: Pick<Release, 'is_prerelease' | 'is_yanked' | 'is_withdrawn'> & Partial<Pick<Release, 'move'>>;
}) {
  const { is_yanked, is_withdrawn, is_prerelease, move } = release;
  if (is_yanked)
    return (
      <Mark tone="critical" title="Yanked upstream. Never used in comparisons.">
        Yanked
      </Mark>
    );
  if (is_withdrawn)
    return (
      <Mark tone="high" title="No longer listed upstream. Never used in comparisons.">
        Removed
      </Mark>
    );
  if (move != null && move.habit === null)
    return (
      <Mark tone="high" title="Its commit or digest changed after it was published.">
        Changed
      </Mark>
    );
  if (is_prerelease) return <Mark tone="muted">Pre-release</Mark>;
  return <Mark tone="neutral">Stable</Mark>;
}

/** Release date, or the time when the release was first seen if the source doesn't provide a date. */
export function ReleaseDate({ release }: { release: Pick<Release, 'released_at' | 'discovered_at'> }) {
  if (release.released_at !== null) return <RelativeTime at={release.released_at} />;
  return (
    <Text span inherit c="var(--text-muted)">
      first seen <RelativeTime at={release.discovered_at} />
    </Text>
  );
}
