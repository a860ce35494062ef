import { withoutTrailing } from '../text/trailing.ts';
import { type ArtifactNameResult, invalidArtifact } from './artifact-result.ts';
import { resolveBucketUrl } from './bucket-url.ts';
import { normalizeHostPath } from './host-path.ts';
import { readWebAddress } from './web-address.ts';

const shape = 'host/path/chart';
const limits = { shape, minSegments: 1, maxSegments: 30 };
const maxRepositoryLength = 2_048;

/**
 * Normalizes a pasted reference to a chart in a classic Helm repository. The reference can be the repository
 * URL and the chart name, separated by a slash or a space, or the URL of a chart archive. The URL of a bucket
 * becomes its HTTPS URL.
 */
export function normalizeChartName(text: string): ArtifactNameResult {
  const pasted = text.trim();
  if (/^oci:/iu.test(pasted))
    return { ok: false, message: "it's a chart in a registry; choose the source type oci_registry" };
  if (/^(?:https?:\/\/)?artifacthub\.io\//iu.test(pasted))
    return invalidArtifact("it's a page about the chart; the repository's URL is needed", shape);
  const [given = '', chart, ...more] = pasted.split(/\s+/u);
  const address = resolveBucketUrl(given);
  if (more.length > 0) return invalidArtifact("it can't contain spaces", shape);
  const repository = withoutTrailing(address, '/').replace(/\/index\.yaml$/u, '');
  if (chart !== undefined) return normalizeHostPath(`${repository}/${chart}`, limits);
  if (repository !== withoutTrailing(address, '/'))
    return invalidArtifact("the chart's name is missing", shape);
  const file = repository.lastIndexOf('/') + 1;
  const archive =
    file > 0 && repository.endsWith('.tgz') ? /^(.+?)-v?\d+\.\d+\.\d+/u.exec(repository.slice(file)) : null;
  const directory = repository.slice(0, file);
  if (archive && directory.includes('/releases/download/'))
    return invalidArtifact("it's a download; the repository's URL is needed", shape);
  return normalizeHostPath(archive ? `${directory}${archive[1]}` : repository, limits);
}

/** Returns the artifact name of a chart in a repository. */
export function chartArtifactName(repositoryUrl: string, chart: string): ArtifactNameResult {
  return normalizeHostPath(`${resolveBucketUrl(repositoryUrl)}/${chart}`, limits);
}

export type ChartRepositoryUrl = { ok: true; repositoryUrl: string } | { ok: false; message: string };

/** Normalizes the URL of a Helm repository: HTTPS for a bucket, without a trailing slash or `/index.yaml`. */
export function normalizeRepositoryUrl(text: string): ChartRepositoryUrl {
  const fail = (message: string) => ({ ok: false as const, message });
  if (/^\s*oci:/iu.test(text))
    return fail('for charts in a registry, use a gather job with source type oci_registry');
  const address = readWebAddress(resolveBucketUrl(text));
  if (!address.ok) return address;
  const { origin, pathname, search, hash } = address.url;
  if (search !== '' || hash !== '') return fail("it can't contain a query or fragment");
  const path = withoutTrailing(withoutTrailing(pathname, '/').replace(/\/index\.yaml$/u, ''), '/');
  const repositoryUrl = `${origin}${path}`;
  // An added scheme and percent-encoding can make the URL longer than the input.
  if (repositoryUrl.length > maxRepositoryLength) {
    return fail(
      `it can have at most ${maxRepositoryLength} characters, with its scheme and percent-encoding`,
    );
  }
  return { ok: true, repositoryUrl };
}
