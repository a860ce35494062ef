import { withoutTrailing } from '../text/trailing.ts';
import { readDownload } from './download-address.ts';
import type { Fact } from './fact.ts';
import { factDefaults } from './manifest.ts';
import { isTemplated, readVersion } from './read-version.ts';

/** A Git repository or a file on a server that an address names. */
export interface RemoteReference {
  /** Short name for display. */
  name: string;
  /** URL of the Git repository, or null for a file on a server without repositories. */
  url: string | null;
  ref: string | null;
}

/**
 * Reads a remote reference, such as `https://host/owner/repo//path?ref=v1`, `git@host:owner/repo?ref=v1`, or
 * `github.com/owner/repo/path?ref=v1`.
 */
export function readRemote(text: string): RemoteReference | null {
  const isRemote =
    /^(?:[a-z+]+:\/\/|git@[\w.-]+:|(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)\/)/i.test(text) ||
    /^[\w-]+(?:\.[\w-]+)+[/:][^?]+\?(?:.*&)?(?:ref|version)=/.test(text);
  if (!isRemote) return null;
  const file = readFileAddress(text) ?? readPlainFile(text);
  if (file) return file;
  const question = text.indexOf('?');
  const address = question < 0 ? text : text.slice(0, question);
  const query = question < 0 ? '' : text.slice(question + 1);
  let ref: string | null = null;
  let version: string | null = null;
  for (const pair of query.split('&')) {
    if (pair.startsWith('ref=')) ref ??= pair.slice('ref='.length);
    if (pair.startsWith('version=')) version ??= pair.slice('version='.length);
  }
  const url = repositoryOf(address);
  const found = ref ?? version;
  return {
    url,
    name: url.replace(/^.*?:\/\/(?:[^/@]*@)?/, '').replace(/\.git$/, ''),
    ref: found === '' ? null : found,
  };
}

/** Returns the artifact and the version of a remote reference. */
export function remoteSoftware({
  url,
  ref,
  name,
}: RemoteReference): Pick<
  Fact,
  'artifact' | 'origin' | 'version' | 'state' | 'reason' | 'digest' | 'note' | 'isOriginGuessed'
> {
  return {
    artifact: { kind: url === null ? 'tool' : 'git', name },
    origin: url === null || isTemplated(url) ? { type: 'unknown' } : { type: 'git', url },
    ...readVersion(ref, url === null ? 'tool' : 'ref'),
    ...factDefaults,
    ...(url === null && { isOriginGuessed: true }),
  };
}

/** Reads the URL of a single file of a release or tag. The version is part of the path. */
function readFileAddress(text: string): RemoteReference | null {
  const match =
    /^https:\/\/(github\.com)\/([\w.-]+\/[\w.-]+)\/(?:releases\/download|raw(?:\/refs\/tags)?|blob)\/([^/?#]+)\//.exec(
      text,
    ) ??
    /^https:\/\/(raw\.githubusercontent)\.com\/([\w.-]+\/[\w.-]+)\/(?:refs\/tags\/)?([^/?#]+)\//.exec(text);
  if (!match) return readForgeFile(text);
  const repository = `github.com/${match[2]}`;
  return { url: `https://${repository}`, name: repository, ref: match[3]! };
}

/** Matches a version that is a whole segment of a path. With two numbers, it must begin with `v`. */
const versionSegment = /^(?:v\d{1,9}(?:\.\d{1,9}){1,3}|\d{1,9}(?:\.\d{1,9}){2,3})(?:[-+][\w.+-]{1,60})?$/;

/** Reads the URL of a file on another forge, such as `https://gitlab.com/acme/sub/web/-/raw/v1.2.3/install.yaml`. */
function readForgeFile(text: string): RemoteReference | null {
  const download = text.startsWith('https://') && !text.includes('?') ? readDownload(text) : null;
  if (download?.host === undefined || download.repository === null) return null;
  const repository = `${download.host}/${download.repository}`;
  return { url: `https://${repository}`, name: repository, ref: download.version };
}

/**
 * Reads the URL of a file on a server that isn't a forge, such as `https://host/web/previous/v1.2.3/release.yaml`. Only
 * the URL identifies the software, so the name is the URL without the version.
 */
function readPlainFile(text: string): RemoteReference | null {
  const [, path] = /^https?:\/\/([^?#]+\.(?:ya?ml|json))(?:#.*)?$/i.exec(text.slice(0, 1_000)) ?? [];
  const segments = path?.split('/') ?? [];
  if (path === undefined || segments.includes('') || isOnForge(path, segments[0]!)) return null;
  const isVersion = (segment: string, at: number) =>
    at > 0 && at < segments.length - 1 && (versionSegment.test(segment) || isTemplated(segment));
  const versions = segments.filter(isVersion);
  const [version = null] = versions;
  if (versions.length !== 1) return { url: null, name: path, ref: null };
  return { url: null, name: segments.filter((each, at) => !isVersion(each, at)).join('/'), ref: version };
}

/** True for a file in a repository. GitHub and GitLab also serve websites, which aren't repositories. */
function isOnForge(path: string, host: string): boolean {
  return (
    (/(?:^|[.@-])(?:git|bitbucket|codeberg|forgejo)/i.test(host) && !/\.git(?:hub|lab)\.io$/i.test(host)) ||
    /\.git\/|\/(?:-|_git|raw|blob|scm|releases\/download)\//i.test(path)
  );
}

/** Returns the URL of the repository, without the directory inside it. */
function repositoryOf(address: string): string {
  const scheme = /^[a-z+]+:\/\//i.exec(address)?.[0] ?? '';
  // An address such as `github.com:owner/repo.git` is an SSH address without a user, which Git also accepts.
  const shorthand = /^((?:git@)?[\w-]+(?:\.[\w-]+)+):(?!\/\/|\d)/i.exec(address);
  const rest = shorthand ? address.slice(shorthand[0].length) : address.slice(scheme.length);
  const prefix = shorthand
    ? `ssh://${shorthand[1]!.includes('@') ? '' : 'git@'}${shorthand[1]}/`
    : scheme === ''
      ? 'https://'
      : scheme;
  const [path = ''] = rest.split('//');
  const suffix = path.indexOf('.git/');
  const git = path.indexOf('/_git/');
  if (suffix >= 0) return `${prefix}${path.slice(0, suffix)}.git`;
  const parts = withoutTrailing(path, '/').split('/');
  if (git >= 0) {
    const at = parts.indexOf('_git');
    return prefix + parts.slice(0, at + 2).join('/');
  }
  if (rest.includes('//') || path.endsWith('.git')) return prefix + parts.join('/');
  // Keep the host, owner, and repository. The rest is a directory.
  return prefix + parts.slice(0, shorthand ? 2 : 3).join('/');
}
