import { normalizeHostPath } from '../artifacts/host-path.ts';
import { parseRepositoryUrl } from '../artifacts/repository-url.ts';
import { parseBoundedJson } from '../json/bounded-json.ts';
import { sourceTypes } from '../source-types/source-types.ts';

export type HookKind =
  | 'github'
  | 'gitlab'
  | 'gitea'
  | 'bitbucket'
  | 'azure_devops'
  | 'generic'
  | 'registry'
  | 'docker_hub'
  | 'harbor'
  | 'quay';

/** Names in an event, in all forms in which jobs store them. No other content of the event is trusted. */
export interface HookNames {
  /** URLs of the Git repository that changed. */
  repositories: string[];
  /** Artifact names of gather jobs. */
  artifacts: string[];
  /** True if the event is about a repository itself, for example that it was created, renamed, or archived. */
  isRepositoryChange: boolean;
}

/**
 * Maximum number of names in an event. Most events contain one repository and a few images; registry
 * notifications contain slightly more.
 */
const maxNames = 100;

/**
 * Returns the names in an event.
 *
 * @param event The type of the event in the platform's header, or null if it's missing.
 * @param body The JSON of the event. Its sender knows the secret of the hook.
 */
export function readHookNames(kind: HookKind, event: string | null, body: unknown): HookNames {
  const repositories = new Set<string>();
  const artifacts = new Set<string>();
  const addRepository = (url: unknown) => {
    for (const form of repositoryForms(url)) if (repositories.size < maxNames) repositories.add(form);
  };
  const addImage = (name: unknown) => {
    if (typeof name !== 'string' || artifacts.size >= maxNames) return;
    const image = sourceTypes.oci_registry.normalizeArtifactName(name);
    if (image.ok) artifacts.add(image.artifactName);
  };

  switch (kind) {
    case 'github':
      if (event === 'package' || event === 'registry_package') addImage(packageOf(body));
      else addRepositoryOf(['repository'], ['clone_url', 'html_url', 'ssh_url']);
      break;
    case 'gitea':
      addRepositoryOf(['repository'], ['clone_url', 'html_url', 'ssh_url']);
      break;
    case 'gitlab':
      addRepositoryOf(['project'], ['git_http_url', 'web_url', 'git_ssh_url']);
      break;
    case 'bitbucket':
      // Bitbucket Cloud sends the URL of the repository's page, and Data Center sends the URLs for cloning.
      addRepository(withoutUser(at(body, 'repository', 'links', 'html', 'href')));
      for (const each of listOf(at(body, 'repository', 'links', 'clone')))
        addRepository(withoutUser(at(each, 'href')));
      break;
    case 'azure_devops':
      for (const url of azureUrls(at(body, 'resource', 'repository', 'remoteUrl'))) addRepository(url);
      break;
    case 'generic':
      addRepositoryOf([], ['repository_url']);
      addImage(at(body, 'image'));
      break;
    case 'registry':
      for (const each of listOf(at(body, 'events'))) {
        const host = at(each, 'request', 'host');
        const path = at(each, 'target', 'repository');
        if (at(each, 'action') === 'push' && typeof host === 'string' && typeof path === 'string')
          addImage(`${host}/${path}`);
      }
      break;
    case 'harbor':
      for (const image of harborImages(body)) addImage(image);
      break;
    case 'quay':
      addImage(at(body, 'docker_url'));
      break;
    case 'docker_hub': {
      const name = at(body, 'repository', 'repo_name');
      if (typeof name === 'string') addImage(`docker.io/${name}`);
      break;
    }
  }
  for (const url of repositories) for (const name of projectForms(url)) artifacts.add(name);
  const isRepositoryChange = (kind === 'github' || kind === 'gitea') && event === 'repository';
  return { repositories: [...repositories], artifacts: [...artifacts], isRepositoryChange };

  function addRepositoryOf(path: readonly string[], members: readonly string[]): void {
    for (const member of members) addRepository(at(body, ...path, member));
  }
}

/** Returns a repository URL in all forms that jobs use: with and without `.git`, over HTTPS and SSH. */
function repositoryForms(url: unknown): string[] {
  if (typeof url !== 'string') return [];
  const parsed = parseRepositoryUrl(url);
  if (!parsed.ok) return [];
  const bare = parsed.url.replace(/\.git$/u, '');
  const path = bare.replace(/^[a-z]+:\/\/(?:[^/@]*@)?[^/]+/u, '');
  const bases = [
    bare,
    `https://${parsed.host}${path}`,
    `http://${parsed.host}${path}`,
    `ssh://git@${parsed.host}${path}`,
  ];
  return [...new Set(bases)].flatMap((base) => [base, `${base}.git`]);
}

/**
 * Returns the forms of a repository URL that gather jobs use: the unchanged URL for Git tags, and
 * `host/owner/repository` for releases of a forge.
 */
function projectForms(url: string): string[] {
  const path = normalizeHostPath(url.replace(/^[a-z]+:\/\/(?:[^/@]*@)?/u, '').replace(/\.git$/u, ''), {
    shape: 'host/owner/repository',
    minSegments: 1,
    maxSegments: 20,
  });
  return path.ok ? [url, path.artifactName, path.artifactName.toLowerCase()] : [url];
}

/**
 * Returns all URLs of a repository in Azure DevOps. The default repository of a project also has a short URL, and SSH
 * URLs have another host.
 */
function azureUrls(url: unknown): string[] {
  const bare = withoutUser(url);
  if (bare === null) return [];
  const parts =
    /^https:\/\/dev\.azure\.com\/(?<organization>[^/]+)\/(?:(?<project>[^/]+)\/)?_git\/(?<name>[^/]+)$/u.exec(
      bare,
    )?.groups;
  if (!parts) return [bare];
  const { organization, name } = parts;
  const project = parts['project'] ?? name;
  return [
    `https://dev.azure.com/${organization}/${project}/_git/${name}`,
    ...(project === name ? [`https://dev.azure.com/${organization}/_git/${name}`] : []),
    `ssh://git@ssh.dev.azure.com/v3/${organization}/${project}/${name}`,
  ];
}

/** Returns an HTTP URL without the user name that some platforms add to it, and other URLs unchanged. */
function withoutUser(url: unknown): string | null {
  return typeof url === 'string' ? url.replace(/^(https?:\/\/)[^/@]*@/u, '$1') : null;
}

/** Returns the images in an event of Harbor, in its own format or as a CloudEvent. */
function harborImages(body: unknown): string[] {
  const type = at(body, 'type');
  if (type !== 'PUSH_ARTIFACT' && type !== 'harbor.artifact.pushed') return [];
  const data = at(body, type === 'PUSH_ARTIFACT' ? 'event_data' : 'data');
  const name = at(data, 'repository', 'repo_full_name');
  return listOf(at(data, 'resources')).flatMap((each) => {
    const url = at(each, 'resource_url');
    if (typeof name !== 'string' || typeof url !== 'string' || !url.includes('/')) return [];
    return `${url.slice(0, url.indexOf('/'))}/${name}`;
  });
}

/** Returns the image of a package in GitHub's registry, or null if the package isn't a container image. */
function packageOf(body: unknown): string | null {
  const found = at(body, 'package') ?? at(body, 'registry_package');
  const name = at(found, 'name');
  const namespace = at(found, 'namespace') ?? at(found, 'owner', 'login');
  const type = at(found, 'package_type') ?? at(found, 'ecosystem');
  if (typeof name !== 'string' || typeof namespace !== 'string') return null;
  return typeof type === 'string' && /container|docker/iu.test(type)
    ? `ghcr.io/${namespace.toLowerCase()}/${name}`
    : null;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
        ? (inner as Record<string, unknown>)[name]
        : undefined,
    value,
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, maxNames) : [];
}

/** Limits of an event, which is at most 1 MiB. A push to thousands of files has tens of thousands of values. */
const eventLimits = { values: 200_000, members: 100_000, depth: 50_000 };

/** Returns the names in the text of an event, or null if the text isn't JSON or exceeds the limits. */
export function parseHookEvent({
  kind,
  event,
  text,
}: {
  kind: HookKind;
  event: string | null;
  text: string;
}): HookNames | null {
  const parsed = parseBoundedJson(text, eventLimits);
  return parsed.ok ? readHookNames(kind, event, parsed.value) : null;
}
