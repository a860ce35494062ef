import type { DocumentTree } from '../parsers/document-tree.ts';
import { resolveAnsibleVariables } from './ansible-values.ts';
import type { Fact } from './fact.ts';
import { writtenText } from './helmfile-templates.ts';
import { factDefaults, locateNode } from './manifest.ts';
import { maxVariableName, readNamedVersion } from './named-versions.ts';
import { listAt, type ReadDocument, treeAt } from './read-documents.ts';
import { isSecretName } from './read-dotenv.ts';
import { looksLikeImage, readImage, readWrittenImage, splitImage, type WrittenImage } from './read-image.ts';
import { readableText, readVersion } from './read-version.ts';
import { repositoryVariable, repositoryVariables } from './repository-variables.ts';
import { packageFact } from './system-packages.ts';
import { withCommentedVersion } from './version-comment.ts';

/** Index of the entries of a map, because each lookup in the map itself scans all of its entries. */
export type Values = ReadonlyMap<string, DocumentTree>;

/** Returns the variables of a file, or those of the plays in a playbook. */
export function topLevelVariables(tree: DocumentTree): Values {
  if (tree.kind === 'map') return new Map(tree.entries());
  const variables = new Map<string, DocumentTree>();
  for (const play of listAt(tree)) {
    const own = treeAt(play, 'hosts') === undefined ? undefined : treeAt(play, 'vars');
    if (own?.kind === 'map') for (const [name, value] of own.entries()) variables.set(name, value);
  }
  return variables;
}

/** Returns the variables that the tasks of a file set, without those that have several values. */
export function variablesOfTasks(tree: DocumentTree): Values {
  const found = new Map<string, DocumentTree>();
  const ambiguous = new Set<string>();
  for (const task of listAt(tree)) {
    if (task.kind !== 'map' || task.get('hosts') !== undefined) continue;
    for (const [key, set] of task.entries()) {
      if (set.kind !== 'map' || !/^(?:vars|(?:ansible\.builtin\.)?set_fact)$/.test(key)) continue;
      for (const [name, value] of set.entries()) {
        if (found.has(name)) ambiguous.add(name);
        found.set(name, value);
      }
    }
  }
  for (const name of ambiguous) found.delete(name);
  return found;
}

/** Replaces `{{ name }}` with a variable of the same map or of the top level of the file. */
export function withVariables(text: string, used: Set<string>, ...scopes: Values[]): string {
  if (!text.includes('{{')) return text;
  const resolved = resolveAnsibleVariables(text, (name) => {
    for (const scope of scopes) {
      const value = textOf(scope, name);
      if (value !== null) return value.slice(0, 300);
    }
    return undefined;
  });
  for (const name of resolved.used) used.add(name);
  return resolved.text;
}

export function textOf(values: Values, name: string): string | null {
  const value = isSecretName(name) ? undefined : values.get(name);
  return value?.kind === 'scalar' ? readableText(value.text) : null;
}

/**
 * True for a variable or an argument that contains the name of an image.
 *
 * @param parent Key of the map that contains it, such as the name of a module.
 */
export function isImageName(name: string, parent: string): boolean {
  if (/(?:^|_)image(?:_name|_repo|_repository)?$/i.test(name)) return true;
  return name === 'name' && /(?:^|[._])(?:docker|podman)_image(?:_pull)?$/.test(parent);
}

/** True for an image in a variable such as `web_image_migration`, whose value shows that it is an image. */
export function isOtherImage(name: string, text: string): boolean {
  if (text.length > 300 || name.length > maxVariableName) return false;
  return (
    /^\w+$/.test(name) &&
    /(?:^|_)image_\w/i.test(name) &&
    /^[\w.-]+(?:\/[\w.-]+)+:[a-z_.-]*\d[\w.-]*$/i.test(text)
  );
}

/** Suffixes of variables that contain the tag of an image. */
const tagSuffixes = ['_tag', '_version'];

export function readVariable(
  document: ReadDocument,
  values: Values,
  name: string,
  value: DocumentTree & { kind: 'scalar' },
  resolve: (text: string) => string,
  used: Set<string>,
  keepsExpression: boolean,
): (WrittenImage & Pick<Fact, 'expression'>) | null {
  const text = resolve(value.text.slice(0, 1_000));
  const parts = splitImage(text);
  if (!parts || !looksLikeImage(text)) return null;
  const note = text === value.text ? null : `value of ${value.text.slice(0, 100)}`;
  if (parts.tag !== null || parts.digest !== null) {
    const image = readWrittenImage(text);
    return (
      image && {
        ...withCommentedVersion(image, document, value),
        ...(note !== null && { note }),
        ...((text.includes('{{') || (keepsExpression && note !== null)) && {
          expression: value.text.slice(0, 1_000),
        }),
      }
    );
  }
  const stem = name.replace(/_?image(?:_name|_repo|_repository)?$/i, '');
  const candidates = [name, `${stem}_image`, stem].flatMap((base) =>
    tagSuffixes.map((suffix) => base + suffix),
  );
  for (const candidate of name === 'name' || name === 'image' ? ['tag', ...candidates] : candidates) {
    const tag = textOf(values, candidate.replace(/^_/, ''));
    if (tag === null || tag === '') continue;
    used.add(candidate.replace(/^_/, ''));
    const resolved = resolve(tag);
    const expression = keepsExpression
      ? `${value.text}:{{ ${candidate.replace(/^_/, '')} }}`
      : resolved.includes('{{')
        ? `${text}:${resolved}`
        : null;
    return {
      ...readImage({ ...parts, tag: resolved }),
      // A task can add a registry before a name without one, such as `{{ registry }}/{{ item.image }}`.
      ...(!parts.name.includes('/') && { isOriginGuessed: true as const }),
      note: `tag from ${candidate.replace(/^_/, '')}`,
      // Keep the expression if a variable is unresolved, because another file of the role can set it.
      ...(expression !== null && { expression: expression.slice(0, 1_000) }),
    };
  }
  return parts.name.includes('/') ? { ...readImage(parts), note } : null;
}

/** Reads an image whose name, registry, and tag are the entries of a map in a list of images. */
export function readImageEntry(document: ReadDocument, values: Values): Fact | null {
  const [name, registry, tag] = [textOf(values, 'name'), textOf(values, 'registry'), values.get('tag')];
  if (name === null || registry === null || tag?.kind !== 'scalar') return null;
  // Skip a registry without a host, because its name can be an alias.
  if (!/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/[\w./-]+)?$/.test(registry.slice(0, 300))) return null;
  const parts = looksLikeImage(`${registry}/${name}`) ? splitImage(`${registry}/${name}`) : null;
  if (!parts || parts.tag !== null || parts.digest !== null) return null;
  return {
    extractor: 'ansible',
    place: locateNode(document, tag, { kind: 'image', namespace: null, name }, ''),
    ...readImage({ name: parts.name, tag: tag.text, digest: textOf(values, 'digest') }),
    note: null,
  };
}

/** Yields the repositories in variables, each with the name of the variable that contains its version. */
export function* readRepositories(
  document: ReadDocument,
  values: Values,
  topLevel: Values,
): Generator<[version: string, fact: Fact], void> {
  if (![...values.keys()].some((name) => repositoryVariable.test(name))) return;
  const texts = new Map<string, string>();
  for (const [name, value] of values)
    if (value.kind === 'scalar' && !isSecretName(name))
      texts.set(name, withVariables(value.text.slice(0, 300), new Set(), values, topLevel));
  for (const { version, url } of repositoryVariables(texts)) {
    const node = values.get(version);
    const names = { kind: 'variable', namespace: null, name: null };
    yield [
      version,
      {
        extractor: 'ansible',
        place: locateNode(document, node, names, version),
        artifact: { kind: 'git', name: url },
        origin: { type: 'git', url },
        ...readVersion(texts.get(version)!, 'ref'),
        ...factDefaults,
        note: `version of ${url}`.slice(0, 300),
      },
    ];
  }
}

/** Reads a variable whose name identifies software, such as `etcd_version: 3.6.4`. */
export function readSoftwareVersion(
  document: ReadDocument,
  name: string,
  value: DocumentTree,
  field = name,
): Fact | null {
  const found = value.kind === 'scalar' ? readNamedVersion(name, value.text) : null;
  const names = { kind: 'variable', namespace: null, name: null };
  return found && { extractor: 'ansible', place: locateNode(document, value, names, field), ...found };
}

/** Matches a system package whose version is in a variable, such as `postgresql-{{ postgresql_version }}`. */
const packageWithVersion =
  /^([a-z][a-z0-9]*(?:[._+-][a-z][a-z0-9]*)*)(?:-|=|=\*|@)\{\{\s*([A-Za-z_]\w*)\s*\}\}(?:[-.*]\S*)?$/i;

/**
 * Yields the versions of packages that variables list, each with the name of the variable that contains the
 * version.
 */
export function* packageVersions(
  document: ReadDocument,
  topLevel: Values,
  keepsExpressions: boolean,
): Generator<[name: string, fact: Fact], void> {
  for (const [key, list] of topLevel) {
    if (!/package|pkg/i.test(key)) continue;
    const entries = list.kind === 'list' ? [...listAt(list)] : [list];
    for (const entry of entries) {
      if (entry.kind !== 'scalar') continue;
      const [, software, name] =
        packageWithVersion.exec((writtenText(document, entry) ?? entry.text).slice(0, 300)) ?? [];
      const version = name === undefined || isSecretName(name) ? undefined : topLevel.get(name);
      if (software === undefined || name === undefined || version?.kind !== 'scalar') continue;
      if (!/^v?\d[\w.+~:-]{0,50}$/.test(version.text)) continue;
      yield [
        name,
        {
          extractor: 'ansible',
          place: locateNode(document, version, { kind: 'variable', namespace: null, name: null }, name),
          ...packageFact(software, version.text),
          ...(keepsExpressions && { expression: `${software}={{ ${name} }}` }),
        },
      ];
    }
  }
}
