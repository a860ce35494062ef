import { resolveBucketUrl } from '../artifacts/bucket-url.ts';
import { withoutTrailing } from '../text/trailing.ts';
import type { Fact, Origin } from './fact.ts';
import { isTemplated, readVersion } from './read-version.ts';

/** Returns the artifact, origin, and version of a chart in a file. */
export function readChart(
  chart: string,
  repository: string | null,
  version: string | null,
): Pick<Fact, 'artifact' | 'origin' | 'version' | 'state' | 'reason' | 'isOriginGuessed'> {
  const archive = readArchiveUrl(chart);
  if (archive) return archive;
  const read = readVersion(version, 'chart');
  const origin = chartOrigin(chart, repository);
  const artifact = { kind: 'chart' as const, name: chart };
  if (isTemplated(chart) || (repository !== null && isTemplated(repository)))
    return {
      artifact,
      origin: { type: 'unknown' },
      version: read.version,
      state: 'templated',
      reason: 'templated',
    };
  return { artifact, origin, ...read };
}

/**
 * Returns the chart whose archive is at a URL, such as `https://charts.example.org/web-1.2.3.tgz`. The
 * directory of the archive is treated as a chart repository, because the index of a repository is next to its
 * archives. Release assets and files in a Git repository have no index, so their source isn't supported.
 */
function readArchiveUrl(url: string): ReturnType<typeof readChart> | null {
  if (!/^https?:\/\//i.test(url) || isTemplated(url)) return null;
  const path = url.slice(0, maxUrlLength).replace(/[?#].*$/s, '');
  const slash = path.lastIndexOf('/');
  const base = decodePart(path.slice(slash + 1));
  if (!base.endsWith('.tgz')) return null;
  const stem = base.slice(0, -'.tgz'.length);
  const hyphen = stem.search(/-v?\d+\.\d+\.\d+(?:[-+]|$)/);
  const [name, version] = [stem.slice(0, hyphen), stem.slice(hyphen + 1)];
  if (hyphen < 1 || !/^[\w.+-]+$/.test(version)) return null;
  const directory = path.slice(0, slash);
  const isAsset = /\/(?:releases|archive|raw|-|blob|packages|artifacts)\/|^https?:\/\/raw\./i.test(
    `${directory}/`,
  );
  return {
    artifact: { kind: 'chart', name },
    origin:
      isAsset || !URL.canParse(directory)
        ? { type: 'unsupported' }
        : { type: 'helm', url: withoutCredentials(directory) },
    ...readVersion(version, 'chart'),
    isOriginGuessed: true,
  };
}

/** Removes a user and a password from a URL, because the source of an item is shown and stored. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]{0,20}:\/\/)[^/?#]{0,500}@/i, '$1');
}

/** Maximum length of the URL of an archive. Longer texts aren't URLs. */
const maxUrlLength = 2_000;

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the location where a chart is published.
 *
 * @param repository URL of the chart's repository. Without a scheme, it's a registry, as in Argo CD.
 */
export function chartOrigin(chart: string, repository: string | null): Origin {
  if (/^oci:\/\//i.test(chart))
    return { type: 'oci', reference: withoutCredentials(chart).slice('oci://'.length) };
  const isPath = /^(?:\.{1,2}\/|\/|file:)/;
  if (isPath.test(chart) || (repository !== null && isPath.test(repository))) return { type: 'local' };
  const url = withoutCredentials(withoutTrailing(repository?.trim() ?? '', '/'));
  if (url === '') return { type: 'unknown' };
  if (/^oci:\/\//i.test(url)) return { type: 'oci', reference: `${url.slice('oci://'.length)}/${chart}` };
  if (/^https?:\/\//i.test(url) || resolveBucketUrl(url) !== url) return { type: 'helm', url };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return { type: 'unsupported' };
  if (/^[@&]|^alias:/.test(url)) return { type: 'unknown' };
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/|$)|^localhost(?::\d+)?\//.test(url)
    ? { type: 'oci', reference: `${url}/${chart}` }
    : { type: 'unknown' };
}
