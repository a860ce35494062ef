import { normalizePurl, parsePurl } from '../artifacts/purl.ts';
import { deployedOrder } from '../environments/deployed-order.ts';
import { versionScheme } from '../versions/versions.ts';
import { acceptVersion } from './accept-version.ts';
import { type BomComponent, readBom } from './read-bom.ts';

/** Selection of a component: by its package URL without a version, or by its name and group. */
export type ComponentSelection = { purl: string } | { name: string; group: string | null };

export type SelectedComponent =
  | {
      status: 'found';
      version: string;
      /** Other versions of the component in the document, at most 20. */
      otherVersions: string[];
      /**
       * Reason for the choice of one of several versions: it's the lowest one, or, if they can't be compared, the first
       * one in the document. Null if the document has only one version.
       */
      choice: 'lowest' | 'first' | null;
      /** Package URL of the component without a version. Null: the document has none. */
      purl: string | null;
    }
  | { status: 'not_found' }
  /** `problem` describes the first string that isn't a version. */
  | { status: 'no_version'; problem: string };

export type SelectionResult = { ok: true; components: SelectedComponent[] } | { ok: false; problem: string };

/** Maximum number of other versions of a component that are returned. */
const maxOtherVersions = 20;

/** Reads a bill of materials, and finds the selected components in it. Call it in the sandbox. */
export function selectComponents({
  text,
  selections,
}: {
  text: string;
  selections: readonly ComponentSelection[];
}): SelectionResult {
  const bom = readBom(text);
  if (!bom.ok) return bom;
  const index = indexComponents(bom.components);
  return { ok: true, components: selections.map((selection) => findComponent(index, selection)) };
}

/** The components of a document, by name and group (`keyOf`) and by package URL (`purlKey`). */
export type ComponentIndex = ReadonlyMap<string, readonly BomComponent[]>;

/** Indexes components once, so that the time doesn't grow with the number of selections times components. */
export function indexComponents(components: readonly BomComponent[]): ComponentIndex {
  const index = new Map<string, BomComponent[]>();
  for (const component of components) {
    const purl = component.purl === null ? null : normalizePurl(component.purl);
    for (const key of [keyOf(component), ...(purl === null ? [] : [purlKey(purl)])]) {
      const found = index.get(key);
      if (found) found.push(component);
      else index.set(key, [component]);
    }
  }
  return index;
}

/** Finds a component by its package URL or name, and chooses one of its versions. */
export function findComponent(index: ComponentIndex, selection: ComponentSelection): SelectedComponent {
  const purl = 'purl' in selection ? normalizePurl(selection.purl) : null;
  const key = 'purl' in selection ? purl && purlKey(purl) : keyOf(selection);
  const matching = (key !== null && index.get(key)) || [];
  if (matching.length === 0) return { status: 'not_found' };
  const accepted = matching.map((component) =>
    acceptVersion(
      component.version ?? (component.purl && parsePurl(component.purl)?.version) ?? '',
      'version',
    ),
  );
  const versions = [...new Set(accepted.flatMap((each) => (each.ok ? [each.version] : [])))];
  const [first] = versions;
  if (first === undefined) {
    const [rejected] = accepted;
    return { status: 'no_version', problem: rejected?.ok === false ? rejected.message : '' };
  }
  const lowest = lowestOf(versions);
  const version = lowest ?? first;
  const written = 'purl' in selection ? selection.purl : matching.find(({ purl }) => purl !== null)?.purl;
  return {
    status: 'found',
    version,
    otherVersions: versions.filter((each) => each !== version).slice(0, maxOtherVersions),
    choice: versions.length === 1 ? null : lowest === null ? 'first' : 'lowest',
    purl: written == null ? null : normalizePurl(written),
  };
}

function keyOf({ name, group }: { name: string; group: string | null }): string {
  return JSON.stringify([name, group]);
}

/** @param purl A normalized package URL */
function purlKey(purl: string): string {
  return JSON.stringify([purl]);
}

/** Returns the lowest version, or `null` if a version can't be compared with the others. */
function lowestOf(versions: readonly string[]): string | null {
  const order = deployedOrder(versionScheme('auto'), versions);
  let lowest = versions[0]!;
  for (const version of versions) {
    const difference = order.compare(version, lowest);
    if (difference === null) return null;
    if (difference < 0) lowest = version;
  }
  return lowest;
}

/**
 * Returns the problem of a package URL that selects a component, as the predicate of a sentence, or `null` if
 * it has none.
 */
export function purlProblem(text: string): string | null {
  const purl = parsePurl(text);
  if (purl === null || normalizePurl(text) === null)
    return "isn't a package URL, such as pkg:maven/org.apache.logging.log4j/log4j-core";
  return purl.version === null ? null : 'must not have a version';
}

/** Returns the name under which a component is recorded. */
export function componentName(selection: ComponentSelection): string {
  if ('name' in selection)
    return selection.group === null ? selection.name : `${selection.group}/${selection.name}`;
  const { namespace, name } = parsePurl(selection.purl)!;
  return [...namespace, name].join('/');
}
