import type { Fact } from './fact.ts';
import { readVersion, type VersionNotation } from './read-version.ts';
import { baseOf } from './repository-path.ts';

/** Software that a URL downloads. Its fields contain the original text, which can include variables. */
export interface Download {
  /** Repository as `owner/repository`; `null` if the URL names none. */
  repository: string | null;
  /** Host of the repository if it isn't on GitHub. */
  host?: string;
  /** Name in the catalog; `null` if the URL names a repository. */
  tool: string | null;
  /** `null` for the latest version. */
  version: string | null;
  /**
   * True if the URL counts as a download of software only with an exact version. With a branch in place of
   * the version, such a URL downloads a script or source code.
   */
  isOnlyForVersions: boolean;
  /** True if the software is known only from the name of the downloaded file. */
  isArchive?: true;
}

/** Download URLs on GitHub. The groups are the owner, the repository, and the version. */
const onGithub: readonly { address: RegExp; isOnlyForVersions: boolean }[] = [
  {
    address: /^https?:\/\/github\.com\/([^/]+)\/([^/]+)\/releases\/download\/([^/]+)\//,
    isOnlyForVersions: false,
  },
  {
    address: /^https?:\/\/github\.com\/([^/]+)\/([^/]+)\/releases\/latest\/download\//,
    isOnlyForVersions: false,
  },
  {
    address:
      /^https?:\/\/github\.com\/([^/]+)\/([^/]+)\/archive\/(?:refs\/tags\/)?([^/]+)\.(?:tar\.gz|tgz|zip)$/,
    isOnlyForVersions: true,
  },
  {
    address:
      /^https?:\/\/codeload\.github\.com\/([^/]+)\/([^/]+)\/(?:tar\.gz|zip)\/(?:refs\/tags\/)?([^/]+)$/,
    isOnlyForVersions: true,
  },
  {
    address: /^https?:\/\/api\.github\.com\/repos\/([^/]+)\/([^/]+)\/releases\/tags\/([^/]+)$/,
    isOnlyForVersions: true,
  },
  {
    address: /^https?:\/\/raw\.githubusercontent\.com\/([^/]+)\/([^/]+)\/(?:refs\/tags\/)?([^/]+)\//,
    isOnlyForVersions: true,
  },
];

/** Download URLs on other forges: GitHub Enterprise, Gitea, Forgejo, and GitLab. The first group is the host. */
const onOtherForges: readonly { address: RegExp; isOnlyForVersions: boolean }[] = [
  {
    address: /^https?:\/\/([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/([\w.-]+\/[\w.-]+)\/releases\/download\/([^/]+)\//,
    isOnlyForVersions: false,
  },
  {
    address:
      /^https?:\/\/([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/([\w.-]+(?:\/[\w.-]+){1,5})\/-\/(?:releases|archive|raw)\/([^/?]+)\//,
    isOnlyForVersions: true,
  },
  {
    address: /^https?:\/\/(codeberg\.org|gitea\.com)\/([\w.-]+\/[\w.-]+)\/archive\/([^/]+)\.(?:tar\.gz|zip)$/,
    isOnlyForVersions: true,
  },
];

/**
 * Download servers of vendors. The last group is the version. If there's a group before it, it's the name of
 * the tool.
 */
const vendors: readonly { address: RegExp; tool: string | null }[] = [
  { address: /^https?:\/\/dl\.k8s\.io\/(?:release\/)?(v[^/]+)\//, tool: 'kubectl' },
  {
    address: /^https?:\/\/storage\.googleapis\.com\/kubernetes-release\/release\/(v[^/]+)\//,
    tool: 'kubectl',
  },
  { address: /^https?:\/\/get\.helm\.sh\/helm-([^/]+?)-(?:linux|darwin|windows)/, tool: 'helm' },
  { address: /^https?:\/\/releases\.hashicorp\.com\/([a-z-]+)\/([^/]+)\//, tool: null },
  { address: /^https?:\/\/nodejs\.org\/(?:dist|download\/release)\/(v[^/]+)\//, tool: 'node' },
  {
    address:
      /^https?:\/\/(?:go\.dev\/dl|golang\.org\/dl|dl\.google\.com\/go)\/go([^/]+?)\.(?:linux|darwin|windows|src)/,
    tool: 'go',
  },
  { address: /^https?:\/\/(?:www\.)?python\.org\/ftp\/python\/([^/]+)\//, tool: 'python' },
  {
    address:
      /^https?:\/\/awscli\.amazonaws\.com\/awscli-exe-linux-(?:x86_64|aarch64|\$\{?\w+\}?)-([^/]+)\.zip/,
    tool: 'awscli',
  },
];

/** Reads the software that a URL downloads. Returns `null` for URLs that don't identify software. */
export function readDownload(address: string): Download | null {
  for (const { address: pattern, isOnlyForVersions } of onGithub) {
    const match = pattern.exec(address);
    if (match) {
      const repository = `${match[1]}/${match[2]}`;
      return { repository, tool: null, version: match[3] ?? null, isOnlyForVersions };
    }
  }
  for (const { address: pattern, isOnlyForVersions } of onOtherForges) {
    const [, host, repository, version] = pattern.exec(address) ?? [];
    if (host !== undefined && repository !== undefined && version !== undefined && host !== 'github.com')
      return { repository, host, tool: null, version, isOnlyForVersions };
  }
  for (const { address: pattern, tool } of vendors) {
    const match = pattern.exec(address);
    if (match)
      return {
        repository: null,
        tool: tool ?? match[1]!,
        isOnlyForVersions: false,
        version: match.at(-1)!,
      };
  }
  return null;
}

/** Matches an address whose start is in a variable, such as `{{ mirror_url }}/`. The group is its name. */
const openStart = /^\s{0,20}\{\{\s{0,5}([A-Za-z_]\w{0,100})\s{0,5}\}\}\//;

/** True for an address whose start is in a variable. */
export function isOpenAddress(address: string): boolean {
  return openStart.test(address.slice(0, 200));
}

/** The host of an address whose start is in a variable. */
const unknownHost = 'unknown.invalid';

/**
 * Reads a download whose address can begin with a variable. A variable that is named after GitHub, such as
 * `github_mirror`, contains the address of GitHub or of a mirror with the same paths.
 */
export function readOpenDownload(address: string): (Download & { isGuessed: boolean }) | null {
  const variable = openStart.exec(address.slice(0, 200))?.[1];
  const isGuessed = variable !== undefined && /github/i.test(variable);
  const host = isGuessed ? 'github.com' : unknownHost;
  const url = variable === undefined ? address : address.replace(openStart, `https://${host}/`);
  const download = readDownload(url) ?? readArchive(url);
  return download && { ...download, isGuessed: isGuessed && download.repository !== null };
}

/**
 * Reads the name and version of software from the file name of an archive on any server, such as
 * `hpl-2.3.tar.gz`. The version can be a template.
 */
export function readArchive(address: string): Download | null {
  if (!/^https?:\/\//.test(address)) return null;
  const base = baseOf(address);
  if (!/\.(?:tar\.(?:gz|xz|bz2)|tgz|zip|deb|rpm)$/i.test(base)) return null;
  const match =
    /^([a-z][a-z0-9]*(?:[_+-][a-z][a-z0-9]*)*)[-_]v?(\d+(?:\.\d+)+|\{\{[^{}]*\}\})(?:[-_.]|$)/i.exec(base);
  // Skip a variable that isn't named like a version, because it contains a fact about the host, such as its
  // distribution.
  const variable = match?.[2]?.startsWith('{{') ? match[2] : null;
  if (variable !== null && (!/version|release|tag/i.test(variable) || /ansible|distribution/i.test(variable)))
    return null;
  const found = match ? { tool: match[1]!, version: match[2]! } : readVersionDirectory(address, base);
  return found && { repository: null, ...found, isOnlyForVersions: true, isArchive: true };
}

/**
 * Reads an archive whose directory is the version, such as `…/v1.2.3/web-linux-amd64.tar.gz`. With two
 * numbers, the directory can be the version of a distribution, so it must begin with `v`.
 */
function readVersionDirectory(address: string, base: string): { tool: string; version: string } | null {
  const version = /\/(v\d{1,9}(?:\.\d{1,9}){1,3}|\d{1,9}(?:\.\d{1,9}){2,3})\/[^/]*$/.exec(address)?.[1];
  const words = base.split(/[-_.]/);
  const end = words.findIndex((word) => otherWords.test(word));
  const tool = words.slice(0, end < 0 ? words.length : end).join('-');
  return version !== undefined && /^[a-z][\w+-]*$/i.test(tool) ? { tool, version } : null;
}

/** Words in the name of an archive that describe a platform or a format. */
const otherWords =
  /^(?:linux|darwin|macos|windows|win(?:32|64)|x86|x64|i386|amd64|arm(?:64|v\d)?|aarch64|musl|gnu|bin(?:ary)?|src|source|tar|tgz|zip|deb|rpm|\d.*)$/i;

/** Returns the artifact and version of software in a repository or in the catalog. */
export function softwareFact(
  { repository, host = 'github.com', tool }: Pick<Download, 'repository' | 'host' | 'tool'>,
  version: string | null,
  notation: VersionNotation,
): Pick<Fact, 'artifact' | 'origin' | 'version' | 'state' | 'digest' | 'reason'> {
  return {
    ...(repository === null
      ? { artifact: { kind: 'tool', name: tool! }, origin: { type: 'tool' } }
      : {
          artifact: {
            kind: 'git',
            name: host === 'github.com' || host === unknownHost ? repository : `${host}/${repository}`,
          },
          origin:
            host === unknownHost
              ? { type: 'unknown' }
              : { type: 'git', url: `https://${host}/${repository}` },
        }),
    ...readVersion(version, notation),
    digest: null,
  };
}
