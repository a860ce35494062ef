import { ownValue } from '../json/own-value.ts';
import { withoutTrailing } from '../text/trailing.ts';
import type { Fact, Origin } from './fact.ts';
import { readImage, splitImage } from './read-image.ts';
import { readVersion } from './read-version.ts';

/**
 * Content of a Renovate comment, which describes the value before it on the same line, or on the next line.
 */
export interface RenovateComment {
  /** Null if the comment contains only the package. */
  datasource: string | null;
  /** Name of the package in its datasource. */
  name: string;
  registryUrl: string | null;
  /** Text before the comment on its line. */
  before: string;
}

/** Matches a `renovate:` comment after the comment marker of a common format. */
const opening = /(?:#|\/\/|--|;|\/\*|<!--|\{#)\s*renovate:/;

/**
 * Reads a comment such as `# renovate: datasource=github-releases depName=acme/tool`. Returns null for other
 * comments.
 */
export function readRenovateComment(line: string): RenovateComment | null {
  const written = line.slice(0, 1_000);
  const match = opening.exec(written);
  if (!match) return null;
  // Remove the rest of the comment marker: a comment can begin with several `#`, and in Helm templates with
  // `{{- /*`.
  const before = withoutTrailing(written.slice(0, match.index), '#').replace(/\{\{-?\s*$/, '');
  const text = written.slice(match.index + match[0].length);
  const values = new Map([...text.matchAll(/\b(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
  const name = values.get('packageName') ?? values.get('lookupName') ?? values.get('depName');
  if (name === undefined) return null;
  const datasource = values.get('datasource') ?? null;
  return { datasource, name, registryUrl: values.get('registryUrl') ?? null, before };
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
    const image = splitImage(`${imageName(name, registryUrl)}:${value}`);
    return image && readImage(image);
  }
  const origin = originOf(datasource, name, registryUrl);
  const tool = ownValue(tools, datasource ?? '') ?? name;
  const kind = kindOf(origin);
  const notation = kind === 'git' ? 'ref' : kind === 'terraform_provider' ? 'terraform' : kind;
  return { artifact: { kind, name: tool }, origin, digest: null, ...readVersion(value, notation) };
}

/**
 * Returns the name of an image with its registry, unless the name already contains a host.
 *
 * @see https://docs.renovatebot.com/modules/datasource/docker/
 */
function imageName(text: string, registryUrl: string | null): string {
  const name = text.replace(webScheme, '');
  const registry = withoutTrailing(registryUrl?.replace(webScheme, '') ?? '', '/');
  const [first = '', second] = name.split('/', 2);
  const hasHost = second !== undefined && /[.:]|^localhost$/.test(first);
  return registry === '' || hasHost || dockerHub.test(registry) || name.startsWith(`${registry}/`)
    ? name
    : `${registry}/${name}`;
}

const webScheme = /^https?:\/\//i;
const dockerHub =
  /^(?:(?:index|registry-1|registry\.hub)\.)?docker\.(?:io|com)(?:\/|$)|^hub\.docker\.com(?:\/|$)/i;

function kindOf({ type }: Origin): 'git' | 'chart' | 'terraform_provider' | 'tool' {
  if (type === 'git') return 'git';
  if (type === 'helm') return 'chart';
  return type === 'terraform' ? 'terraform_provider' : 'tool';
}

function originOf(datasource: string | null, name: string, registryUrl: string | null): Origin {
  if (datasource === null) return { type: 'unknown' };
  if (Object.hasOwn(tools, datasource)) return { type: 'tool' };
  if (datasource === 'helm' && registryUrl !== null) return { type: 'helm', url: registryUrl };
  if (datasource === 'git-tags' || datasource === 'git-refs') return { type: 'git', url: name };
  const platform = ownValue(platforms, datasource) ?? null;
  if (datasource === 'terraform-provider') return { type: 'terraform', host: 'registry.terraform.io' };
  return platform === null
    ? { type: 'unsupported' }
    : { type: 'git', url: `${withoutTrailing(registryUrl ?? platform, '/')}/${name}` };
}
