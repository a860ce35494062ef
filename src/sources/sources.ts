import { githubReleases } from './github-releases.ts';
import type { ReleaseSource, ReleaseSourceType } from './release-source.ts';

/** Every release source there is. A new one is a file and a line here. */
export const sources = {
  github_releases: githubReleases,
} satisfies Partial<Record<ReleaseSourceType, ReleaseSource>>;
