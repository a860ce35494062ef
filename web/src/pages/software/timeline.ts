import type { Schemas } from '../../../../src/generated/client-api.ts';

type Release = Pick<
  Schemas['Release'],
  'version' | 'released_at' | 'discovered_at' | 'is_prerelease' | 'is_yanked' | 'is_withdrawn' | 'url'
>;
type Version = Pick<Schemas['Version'], 'version' | 'discovered_at'>;

/** Time range in which a version was deployed. */
export interface Deployment {
  version: string;
  from: number;
  /** Start of the next deployment, or the current time. */
  to: number;
  /** Release time upstream, or `null` if it isn't known. */
  releasedAt: number | null;
}

export interface UpstreamRelease {
  version: string;
  at: number;
  isStable: boolean;
  isDeployed: boolean;
  url: string | null;
}

export interface Timeline {
  deployments: Deployment[];
  releases: UpstreamRelease[];
}

/** Removes a leading `v`, because the release `v1.2.3` can be deployed as `1.2.3`. */
const isSameVersionText = (version: string) => version.replace(/^v/i, '');

/**
 * Combines the deployed versions of a tracker with the releases of its upstream source, both in chronological
 * order.
 * @param versions Changes to the deployed version only.
 * @param now Current time in milliseconds.
 */
export function toTimeline(
  versions: readonly Version[],
  releases: readonly Release[],
  now: number,
): Timeline {
  const counted = releases.filter(({ is_yanked, is_withdrawn }) => !is_yanked && !is_withdrawn);
  const byVersion = new Map(counted.map((release) => [isSameVersionText(release.version), release]));
  const inOrder = versions
    .map(({ version, discovered_at }) => ({ version, from: Date.parse(discovered_at) }))
    .toSorted((a, b) => a.from - b.from);
  const deployed = new Set(inOrder.map(({ version }) => isSameVersionText(version)));
  return {
    deployments: inOrder.map(({ version, from }, index) => {
      const release = byVersion.get(isSameVersionText(version));
      const releasedAt = release ? dateOf(release) : null;
      return { version, from, to: inOrder[index + 1]?.from ?? now, releasedAt };
    }),
    releases: counted
      .map((release) => ({
        version: release.version,
        at: dateOf(release),
        isStable: !release.is_prerelease,
        isDeployed: deployed.has(isSameVersionText(release.version)),
        url: release.url,
      }))
      .toSorted((a, b) => a.at - b.at),
  };
}

function dateOf({ released_at, discovered_at }: Pick<Release, 'released_at' | 'discovered_at'>): number {
  return Date.parse(released_at ?? discovered_at);
}

/**
 * Places labels along a line, and omits those that would overlap an earlier one. The `x` of a label is its
 * center.
 */
export function placeLabels<Label extends { x: number; text: string }>(
  labels: readonly Label[],
  width: number,
  charWidth = 7,
): (Label & { x: number })[] {
  const placed: (Label & { x: number })[] = [];
  for (const label of labels) {
    const half = (label.text.length * charWidth) / 2 + 4;
    // Labels near the edges are moved inward.
    const x = Math.min(Math.max(label.x, half), Math.max(half, width - half));
    const isFree = placed.every(
      (other) => Math.abs(other.x - x) > half + (other.text.length * charWidth) / 2 + 4,
    );
    if (isFree) placed.push({ ...label, x });
  }
  return placed;
}
