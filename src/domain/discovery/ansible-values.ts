import { readArchive, readDownload, softwareFact } from './download-address.ts';
import type { LinkedFact, LinkOf } from './link-facts.ts';
import { isSecretName } from './read-dotenv.ts';
import { readWrittenImage } from './read-image.ts';
import { readVersion } from './read-version.ts';

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

/**
 * Completes images and downloads of Ansible roles with variables from other files of the same role. As in
 * Ansible, `vars/main.yml` overrides defaults. Inventories can override both, so the note says where the
 * value comes from.
 *
 * @returns The facts to drop: those of variables that are part of an image or a download. They would be
 * duplicates.
 */
export function linkAnsibleValues(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: LinkOf<'ansible_values'>]>,
): ReadonlySet<LinkedFact> {
  const byRole = new Map<string, Map<string, string>>();
  const isOverride = (path: string) => /(?:^|\/)vars\//.test(path);
  for (const [path, { values }] of [...links].sort(
    ([a], [b]) => Number(isOverride(a)) - Number(isOverride(b)),
  )) {
    const known = byRole.get(roleOf(path)) ?? new Map<string, string>();
    byRole.set(roleOf(path), known);
    for (const [name, value] of values) known.set(name, value);
  }
  if (byRole.size === 0) return new Set();
  /** Variables that the images and downloads contain, each as role and name. */
  const contained = new Set<string>();
  for (const fact of facts) {
    const isOfRole = fact.extractor === 'ansible' || fact.file.endsWith('.j2');
    if (!isOfRole || fact.expression === undefined) continue;
    const role = roleOf(fact.file);
    const values = byRole.get(role);
    if (!values) continue;
    const { text, used } = resolveAnsibleVariables(fact.expression, (name) => values.get(name));
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
    fact.note = `default value of ${fact.expression.slice(0, 100)}`;
    for (const name of used) contained.add(`${role}\0${name}`);
  }
  return new Set(
    facts.filter(
      ({ extractor, place, file }) =>
        extractor === 'ansible' &&
        place.kind === 'variable' &&
        contained.has(`${roleOf(file)}\0${place.field}`),
    ),
  );
}

/**
 * Returns the directory of the role to which a file belongs. It contains the role's directories, such as
 * `defaults` and `tasks`.
 */
function roleOf(path: string): string {
  return /^(.*\/|)(?:defaults|vars|tasks|handlers|templates)\//.exec(path)?.[1] ?? path;
}
