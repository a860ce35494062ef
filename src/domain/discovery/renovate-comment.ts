import type { Fact, Origin } from './fact.ts';
import { readImage, splitImage } from './read-image.ts';
import { readVersion } from './read-version.ts';

/** Content of a Renovate comment, which describes the value on the next line. */
export interface RenovateComment {
  datasource: string;
  /** Name of the package in its datasource. */
  name: string;
  registryUrl: string | null;
}

/**
 * Reads a comment such as `# renovate: datasource=github-releases depName=acme/tool`. Returns null for other
 * comments.
 */
export function readRenovateComment(line: string): RenovateComment | null {
  const text = /^\s*#\s*renovate:(.*)$/.exec(line.slice(0, 1_000))?.[1];
  if (text === undefined) return null;
  const values = new Map([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
  const datasource = values.get('datasource');
  const name = values.get('packageName') ?? values.get('lookupName') ?? values.get('depName');
  return datasource === undefined || name === undefined
    ? null
    : { datasource, name, registryUrl: values.get('registryUrl') ?? null };
}

/** Git platforms, with the default URL for comments without one. */
const platforms: Readonly<Record<string, string>> = {
  'github-releases': 'https://github.com',
  'github-release-attachments': 'https://github.com',
  'github-tags': 'https://github.com',
  'gitlab-releases': 'https://gitlab.com',
  'gitlab-tags': 'https://gitlab.com',
  'gitea-releases': 'https://gitea.com',
  'gitea-tags': 'https://gitea.com',
  'forgejo-releases': 'https://code.forgejo.org',
  'forgejo-tags': 'https://code.forgejo.org',
};

/** Datasources of a single tool, with the name of the tool in the catalog. */
const tools: Readonly<Record<string, string>> = {
  'node-version': 'node',
  'golang-version': 'go',
  'python-version': 'python',
  'ruby-version': 'ruby',
  'java-version': 'java',
};

/** Returns the artifact and version of a value with a Renovate comment. */
export function commentedFact(
  { datasource, name, registryUrl }: RenovateComment,
  value: string,
): Pick<Fact, 'artifact' | 'origin' | 'version' | 'state' | 'digest' | 'reason'> | null {
  if (datasource === 'docker') {
    const image = splitImage(`${name}:${value}`);
    return image && readImage(image);
  }
  const origin = originOf(datasource, name, registryUrl);
  const tool = Object.hasOwn(tools, datasource) ? tools[datasource]! : name;
  const kind = origin.type === 'git' ? 'git' : origin.type === 'helm' ? 'chart' : 'tool';
  const notation = kind === 'git' ? 'ref' : kind;
  return { artifact: { kind, name: tool }, origin, digest: null, ...readVersion(value, notation) };
}

function originOf(datasource: string, name: string, registryUrl: string | null): Origin {
  if (Object.hasOwn(tools, datasource)) return { type: 'tool' };
  if (datasource === 'helm' && registryUrl !== null) return { type: 'helm', url: registryUrl };
  if (datasource === 'git-tags' || datasource === 'git-refs') return { type: 'git', url: name };
  const platform = Object.hasOwn(platforms, datasource) ? platforms[datasource]! : null;
  return platform === null
    ? { type: 'unsupported' }
    : { type: 'git', url: `${(registryUrl ?? platform).replace(/\/+$/, '')}/${name}` };
}
