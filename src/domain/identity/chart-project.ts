import { readRepositoryLink } from './project-url.ts';

/** Pattern for repository hosts. Other links in a chart lead to websites. */
const forge = /^(?:github\.com|codeberg\.org|bitbucket\.org)$|(?:^|\.)git(?:lab|ea|hub)?\../u;

/** Names of repositories that contain charts, such as `helm-charts`, `argo-helm`, and `charts`. */
const chartRepository = /(?:^|[-_.])(?:helm|charts?|helmcharts?)(?:[-_.]|$)/iu;

/**
 * Returns the repository of the software in a chart, based on its `sources` and `home`. The first source is
 * often the repository of the chart, not of the software. Chart repositories are therefore skipped, and a
 * repository with the name of the chart takes precedence.
 */
export function projectOfChart(chart: string, links: readonly string[]): string | null {
  const repositories = links.flatMap((link) => {
    const url = readRepositoryLink(link);
    return url !== null && forge.test(new URL(url).host) ? [url] : [];
  });
  const wanted = simplify(chart);
  const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);
  const same = repositories.find((url) => simplify(nameOf(url)) === wanted);
  return same ?? repositories.find((url) => !chartRepository.test(nameOf(url))) ?? null;
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
}
