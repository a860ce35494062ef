import { withoutTrailing } from '../text/trailing.ts';
import { type ArtifactNameResult, invalidArtifact } from './artifact-result.ts';
import { type ForgeKind, forgeOfHost, isOtherForge } from './forges.ts';
import { looksLikeHost, readHost } from './host.ts';
import { type HostPath, joinHostPath } from './host-path.ts';

/**
 * Normalizes references to repositories on GitHub, GitLab, Gitea, and Forgejo. Users can paste `owner/repo`,
 * the URL of any page, or a clone URL. All forms become `host/owner/repo`.
 */

const github = { shape: 'github.com/owner/repo', minSegments: 2, maxSegments: 2 };
const gitlab = { shape: 'gitlab.com/owner/repo', minSegments: 2, maxSegments: 21 };
const gitea = { shape: 'codeberg.org/owner/repo', minSegments: 2, maxSegments: 2 };

/** First path segments on github.com that aren't repository owners. */
const githubPages =
  /^(?:about|apps|collections|features|login|marketplace|orgs|search|settings|sponsors|topics|users)$/u;

/** Normalizes a GitHub repository. It also accepts the API URLs that other tools use. */
export function normalizeGithubName(text: string): ArtifactNameResult {
  const found = readForgePath(text, 'github', 'github.com', github.shape);
  if ('message' in found) return found;
  const { host: named, segments: all } = found;
  const host = named.replace(/^www\.github\.com$/u, 'github.com');
  const isApi = host === 'api.github.com';
  const segments = isApi ? withoutPrefix(all, ['repos']) : withoutPrefix(all, ['api', 'v3', 'repos']);
  if (host === 'github.com' && githubPages.test(segments[0] ?? ''))
    return invalidArtifact("it's a page of GitHub, not of a repository", github.shape);
  return joinRepository({ host: isApi ? 'github.com' : host, segments: segments.slice(0, 2) }, github);
}

/**
 * Normalizes a GitLab project. Groups can be nested. The part after `/-/` is dropped, because it's a page of the
 * project.
 */
export function normalizeGitlabName(text: string): ArtifactNameResult {
  const found = readForgePath(text, 'gitlab', 'gitlab.com', gitlab.shape);
  if ('message' in found) return found;
  const page = found.segments.indexOf('-');
  const segments = page < 0 ? found.segments : found.segments.slice(0, page);
  return joinRepository({ host: found.host.replace(/^www\.gitlab\.com$/u, 'gitlab.com'), segments }, gitlab);
}

/**
 * Normalizes a Gitea or Forgejo repository. The name must include a host, because Gitea has no default host.
 */
export function normalizeGiteaName(text: string): ArtifactNameResult {
  const found = readForgePath(text, 'gitea', null, gitea.shape);
  if ('message' in found) return found;
  const segments = withoutPrefix(found.segments, ['api', 'v1', 'repos']).slice(0, 2);
  return joinRepository({ host: found.host, segments }, gitea);
}

/**
 * Returns the host and path of the pasted text, without query and fragment.
 *
 * @param defaultHost Default host for `owner/repo`.
 */
function readForgePath(
  pasted: string,
  kind: ForgeKind,
  defaultHost: string | null,
  shape: string,
): HostPath | { ok: false; message: string } {
  const [text = ''] = withoutGitAddress(pasted.trim()).split(/[?#]/u);
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text))
    return invalidArtifact('only http and https URLs can be read', shape);
  const [first = '', ...rest] = withoutTrailing(text, '/').split('/');
  if (first.includes('@')) return invalidArtifact("it can't contain a user name or password", shape);
  // Two parts are `owner/repo` unless the first one looks like a host. With more parts, the first one is always a host,
  // because hosts of internal networks can have names without a dot.
  if (rest.length === 1 && !looksLikeHost(first)) {
    if (defaultHost === null) return invalidArtifact('its host is missing', shape);
    return { host: defaultHost, segments: [first, ...rest] };
  }
  const host = readHost(first);
  if (host === null) return invalidArtifact(`"${first.slice(0, 100)}" isn't a host`, shape);
  if (isOtherForge(host, kind))
    return invalidArtifact(
      `${host} can't be read with ${kind}_releases`,
      `source_type ${forgeOfHost(host)}_releases`,
    );
  return { host, segments: rest };
}

/**
 * Returns `host/path` of a clone URL: `git@host:owner/repo.git`, `ssh://git@host:22/owner/repo`,
 * `git+https://host/owner/repo`, or a `git clone` command. The SSH port is dropped, because releases aren't requested
 * over SSH.
 */
export function withoutGitAddress(text: string): string {
  const address = text.replace(/^git\s+clone\s+/iu, '');
  const shorthand = /^git@([^/:@\s]+):(?!\/\/)\/?(.+)$/iu.exec(address);
  if (shorthand) return `${shorthand[1]}/${shorthand[2]}`;
  return address
    .replace(/^(?:git\+)?ssh:\/\/(?:git@)?([^/:@\s]+)(?::\d+)?\//iu, '$1/')
    .replace(/^(?:git\+)?https?:\/\//iu, '')
    .replace(/^git:\/\//iu, '');
}

function joinRepository(path: HostPath, limits: Parameters<typeof joinHostPath>[1]): ArtifactNameResult {
  const last = path.segments.length - 1;
  const segments = path.segments.map((segment, at) =>
    at === last ? segment.replace(/\.git$/u, '') : segment,
  );
  return joinHostPath({ host: path.host, segments }, limits);
}

function withoutPrefix(segments: readonly string[], prefix: readonly string[]): string[] {
  const hasPrefix = segments.length > prefix.length && prefix.every((part, at) => segments[at] === part);
  return segments.slice(hasPrefix ? prefix.length : 0);
}
