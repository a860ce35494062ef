import { knownSources } from '../catalog/catalog.ts';
import { ownValue } from '../json/own-value.ts';
import type { Fact } from './fact.ts';
import { factDefaults } from './manifest.ts';
import { readVersion } from './read-version.ts';

/** Maximum length of a variable name that is split into words. Real names have up to 80 characters. */
export const maxVariableName = 100;

/** Names of the software in the catalog, as they appear at the end of a variable name. */
const softwareNames: ReadonlySet<string> = new Set(
  knownSources.map(({ name }) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')),
);

/** Common names of software whose name in the catalog differs. */
const otherNames: Readonly<Record<string, string>> = {
  argocd: 'argo_cd',
  fluxcd: 'flux',
  golang: 'go',
  k8s: 'kubernetes',
  kube: 'kubernetes',
  loki: 'grafana_loki',
  mimir: 'grafana_mimir',
  postgres: 'postgresql',
  talos: 'talosctl',
  tf: 'terraform',
  tg: 'terragrunt',
};

/**
 * Words in the names of variables that contain a limit or the version of something else, such as a format.
 */
const otherVersions =
  /(?:^|_)(?:addon|add_on|min|minimum|max|maximum|required?|supported|allowed|old|previous|current|api|schema|config|protocol|tls|ssl|package|module|client|driver|library|override|compat|compatibility)_/i;

/**
 * Names in front of `version` that don't identify software. A version of the repository's own software or of
 * an artifact that another value names is read elsewhere.
 */
const otherSubjects =
  /(?:^|_)(?:app|application|artifact|chart|default|desired|dist|distro|distribution|document|expected|file|format|helmchart|http|image|ip|key|language|latest|new|os|pack|platform|playbook|project|release|role|script|spec|target|token|update|upgrade|your)$/i;

/** General names, which identify no software unless other words precede them. */
const generalNames =
  /^(?:agent|base|binary|build|ci|cli|cluster|code|container|database|db|engine|instance|kernel|node|plugin|server|service|stack|system|template|tool)$/i;

/**
 * Matches a complete version with at least three numbers, which an unknown name requires. A patch or a pre-release can
 * follow without a separator, as in `2.5.0p9`.
 */
const completeVersion = /^v?\d{1,20}(?:\.\d{1,10}){2,4}(?:[a-z]{1,4}\d{1,4})?(?:[-+.][a-z0-9]+){0,6}$/i;

/** Words in front of the name of software that say how its version was chosen. */
const choices = /^(?:default|desired|pinned|selected|target|wanted)_+(?=[a-z])/;

/**
 * Reads a variable such as `etcd_version: 3.6.4` or `ETCD_VERSION=3.6.4`. The name identifies software of the
 * catalog, and other words can precede it. A name that the catalog doesn't contain requires a complete
 * version.
 *
 * @returns The software and its version without a place, or null if the variable isn't the version of
 * software.
 */
export function readNamedVersion(name: string, written: string): Omit<Fact, 'extractor' | 'place'> | null {
  if (name.length > maxVariableName || written.length > 50) return null;
  const stem = /^(\w*[^\W_])_+version(?:_override)?$/i.exec(name)?.[1]?.toLowerCase();
  // Don't skip `cluster_api`: Cluster API is software, while `api` in other names is the interface of a
  // program.
  if (stem === undefined || otherVersions.test(name.replace(/cluster_api/i, 'capi'))) return null;
  const text = withoutName(written, stem);
  const tool = catalogName(stem, text) ?? catalogName(stem.replace(choices, ''), text);
  const isGeneral = otherSubjects.test(stem) || generalNames.test(stem);
  if (tool === null && (isGeneral || !completeVersion.test(text))) return null;
  return {
    artifact: { kind: 'tool', name: tool ?? stem.replaceAll(/_+/g, '_') },
    origin: { type: 'tool' },
    isOriginGuessed: true,
    ...readVersion(text, 'tool'),
    ...factDefaults,
    note: 'software by the name of the variable',
  };
}

/** Names of software that are also common words, so they identify it only without words before them. */
const commonWords: ReadonlySet<string> = new Set([
  'act',
  'age',
  'bat',
  'dive',
  'go',
  'helm',
  'just',
  'kind',
  'nova',
  'pluto',
  'polaris',
  'task',
]);

/** True if the name of a variable identifies software of the catalog. */
export function namesKnownSoftware(name: string, text: string): boolean {
  const found = readNamedVersion(name, text);
  return found !== null && (found.artifact.name === 'node' || softwareNames.has(found.artifact.name));
}

/**
 * True if a command installs or downloads the software in the name of a variable that it contains, as in
 * `curl -LO https://host/step-cli_${STEP_VERSION}.deb`. Commands that build or publish something name what the
 * repository contains.
 */
export function isNamedIn(variable: string, command: string): boolean {
  const stem = /^(\w*[^\W_])_+version$/i.exec(variable)?.[1]?.toLowerCase().replace(choices, '');
  if (stem === undefined || !installs.test(command) || otherCommands.test(command)) return false;
  const words = command
    .replaceAll(variable, ' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  return `_${words}_`.includes(`_${stem.replaceAll(/_+/g, '_')}_`);
}

const installs = /:\/\/|(?:^|[^\w-])(?:install|use|add|get|clone)(?:$|[^\w-])|go-(?:install|get)-/;
const otherCommands =
  /(?:^|[\s"'@-])(?:echo|printf|build|buildx|push|publish|release|upload(?:-file)?|tag|test|pack|package|-T)(?=$|[\s"'=])/i;

/** Returns a version without the name in front of it if the variable's name ends with the same name, as in `ruby-4.0.4`. */
function withoutName(text: string, stem: string): string {
  const [, name, version] = /^([a-z][a-z_]{0,30}?)[-_]?(v?\d\S*)$/i.exec(text) ?? [];
  if (name === undefined || /^v$/i.test(name)) return text;
  const words = stem.split(/_+/);
  return words.some((_, at) => words.slice(at).join('_') === name.toLowerCase()) ? version! : text;
}

function catalogName(stem: string, text: string): string | null {
  if (!/^v?\d+(?:[-+.]\w+)*$/.test(text)) return null;
  // A node can also be a machine, so the variable must have exactly this name.
  if (/^node(?:_?js)?$/.test(stem)) return 'node';
  const words = stem.split(/_+/);
  const ends = words.map((_, at) => words.slice(at).join('_'));
  const end = ends.find(
    (each) =>
      softwareNames.has(ownValue(otherNames, each) ?? each) && (each === stem || !commonWords.has(each)),
  );
  // A value without a dot is a version only if the name of the software is the whole variable name.
  if (end === undefined || (end !== stem && !text.includes('.'))) return null;
  return ownValue(otherNames, end) ?? end;
}
