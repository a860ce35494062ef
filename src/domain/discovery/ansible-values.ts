import { readArchive, readDownload, softwareFact } from './download-address.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { isSecretName } from './read-dotenv.ts';
import { readWrittenImage } from './read-image.ts';
import { readVersion } from './read-version.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/** Maximum length of a chain of variables that refer to each other. */
const maxChain = 5;
/** Maximum length of a resolved text. Download URLs are shorter. */
const maxLength = 1_000;

/** True for a variable that can be part of an image or a URL. */
export function canBeAnsibleValue(name: string, text: string): boolean {
  return (
    text !== '' &&
    text.length <= 300 &&
    !isSecretName(name) &&
    // Exclude a URL with credentials, because it can contain a password.
    !/:\/\/[^/]*@/.test(text) &&
    /version|release|tag|image|registry|repo|url|prefix|channel|name|host|arch|platform|base/i.test(name)
  );
}

/**
 * Replaces `{{ name }}` with the value of a variable, and `{{ name | default('text') }}` with the literal
 * default if the variable has no value. Other filters and expressions stay as written.
 */
export function resolveAnsibleVariables(
  text: string,
  valueOf: (name: string) => string | undefined,
): { text: string; used: Set<string> } {
  const used = new Set<string>();
  let resolved = text.slice(0, maxLength);
  for (let depth = 0; depth < maxChain && resolved.includes('{{'); depth++) {
    const next = resolved
      .replaceAll(reference, (written, name: string, single?: string, double?: string) => {
        const value = valueOf(name);
        if (value !== undefined) used.add(name);
        return value ?? single ?? double ?? written;
      })
      .slice(0, maxLength);
    if (next === resolved) break;
    resolved = next;
  }
  return { text: resolved, used };
}

const reference =
  /\{\{\s*([A-Za-z_]\w*)\s*(?:\|\s*d(?:efault)?\(\s*(?:'([^'{}]*)'|"([^"{}]*)")\s*(?:,\s*true\s*)?\)\s*)?\}\}/gi;

/** Returns the files with variables that playbooks name, each with its link. */
export function variableFilesOfPlaybooks(
  files: readonly ScannedFile[],
): [path: string, link: LinkOf<'ansible_variables'>][] {
  const named = new Set<string>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'ansible_uses' || !link.isPlay) continue;
      for (const each of link.files) {
        const target = resolvePath(directoryOf(path), each);
        if (target !== null) named.add(target);
      }
    }
  return files.flatMap(({ path, links }) =>
    named.has(path)
      ? links.flatMap((link) =>
          link.type === 'ansible_variables' ? [[path, link] as [string, LinkOf<'ansible_variables'>]] : [],
        )
      : [],
  );
}

/**
 * Returns the variables of all hosts and those in files that playbooks name. One that has several values isn't included,
 * because nothing shows which one applies.
 */
function sharedVariables(lists: Iterable<readonly [name: string, value: string][]>): Map<string, string> {
  const shared = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const values of lists)
    for (const [name, value] of values) {
      if ((shared.get(name) ?? value) !== value) ambiguous.add(name);
      shared.set(name, value);
    }
  for (const name of ambiguous) shared.delete(name);
  return shared;
}

/**
 * Completes images and downloads of Ansible roles with variables from other files of the same role. As in
 * Ansible, `vars/main.yml` overrides defaults. Inventories can override both, so the note says where the
 * value comes from. Other variables come from the inventory of all hosts or from a file that a playbook names.
 *
 * @param named Files with variables that playbooks name.
 * @returns The facts to drop: those of variables that are part of an image or a download. They would be
 * duplicates.
 */
export function linkAnsibleValues(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: LinkOf<'ansible_values'>]>,
  named: readonly [path: string, link: LinkOf<'ansible_variables'>][],
): ReadonlySet<LinkedFact> {
  const byRole = new Map<string, Map<string, string>>();
  const isOverride = (path: string) => /(?:^|\/)vars\//.test(path);
  const all = [...links];
  const isShared = (path: string) => /(?:^|\/)group_vars\//.test(path);
  const shared = sharedVariables([
    ...all.flatMap(([path, { values }]) => (isShared(path) ? [values] : [])),
    ...named.map(([, { values }]) => values),
  ]);
  for (const [path, { values }] of all
    .filter(([each]) => !isShared(each))
    .sort(([a], [b]) => Number(isOverride(a)) - Number(isOverride(b)))) {
    const known = byRole.get(roleOf(path)) ?? new Map<string, string>();
    byRole.set(roleOf(path), known);
    for (const [name, value] of values) known.set(name, value);
  }
  if (byRole.size === 0 && shared.size === 0) return new Set();
  /** Variables that a fact contains, as role and name. */
  const contained = new Set<string>();
  /** The facts that contain each shared variable. */
  const containing = new Map<string, LinkedFact[]>();
  for (const fact of facts) {
    const expression = expressionOf(fact);
    if (expression === null) continue;
    const role = roleOf(fact.file);
    const values = byRole.get(role);
    const { text, used } = resolveAnsibleVariables(
      expression,
      (name) => values?.get(name) ?? shared.get(name),
    );
    if (used.size === 0) continue;
    if (fact.artifact.kind === 'image') {
      const image = readWrittenImage(text);
      // Keep the image as written if the resolved text isn't a valid image, because a variable can contain
      // another expression.
      if (!image || image.reason === 'invalid') continue;
      Object.assign(fact, image, { isOriginCertain: image.isOriginGuessed !== true });
    } else {
      const download = readDownload(text) ?? readArchive(text);
      if (download) Object.assign(fact, softwareFact(download, download.version, 'ref'));
      else if (fact.artifact.kind === 'git') Object.assign(fact, readVersion(text, 'ref'));
    }
    const isDefault = [...used].some((name) => values?.has(name));
    fact.note = `${isDefault ? 'default value' : 'value'} of ${expression.slice(0, 100)}`;
    for (const name of used) {
      contained.add(`${role}\0${name}`);
      if (values?.has(name)) continue;
      const others = containing.get(name);
      if (others) others.push(fact);
      else containing.set(name, [fact]);
    }
  }
  const namedPaths = new Set(named.map(([path]) => path));
  for (const fact of facts)
    if (fact.place.kind === 'variable' && (namedPaths.has(fact.file) || isShared(fact.file)))
      useArtifactOfVariable(fact, containing.get(fact.place.field) ?? []);
  return new Set(
    facts.filter(
      ({ extractor, place, file }) =>
        extractor === 'ansible' &&
        place.kind === 'variable' &&
        contained.has(`${roleOf(file)}\0${place.field}`),
    ),
  );
}

/** Replaces the software that only the name of a variable shows with the artifact whose version the variable is. */
function useArtifactOfVariable(fact: LinkedFact, containing: readonly LinkedFact[]): void {
  const [first] = containing;
  if (!first || containing.some(({ artifact }) => artifact.name !== first.artifact.name)) return;
  const isVersion = first.version?.replace(/^v/, '') === fact.version?.replace(/^v/, '');
  if (!isVersion) return;
  const { artifact, origin, version, state, reason, isOriginCertain } = first;
  Object.assign(fact, { artifact, origin, version, state, reason, isOriginCertain });
  fact.note = `version of ${artifact.name}`.slice(0, 300);
}

/** Returns the image or the download of a fact with its variables, or null if it has none. */
function expressionOf({ extractor, file, expression, artifact, version, state }: LinkedFact): string | null {
  if (extractor === 'ansible' || file.endsWith('.j2')) return expression ?? null;
  // Ansible also renders other files, such as jobs of Nomad, in its directories of templates.
  const isTemplate =
    /(?:^|\/)(?:templates|files)\//.test(file) && (extractor === 'nomad' || extractor === 'quadlet');
  if (!isTemplate || artifact.kind !== 'image' || state !== 'templated' || !version?.includes('{{'))
    return null;
  return artifact.name.includes('{{') ? null : `${artifact.name}:${version}`;
}

/** Returns the directory of a role, which contains its directories of variables and tasks. */
function roleOf(path: string): string {
  return /^(.*\/|)(?:defaults|vars|tasks|handlers|templates)\//.exec(path)?.[1] ?? path;
}
