import type { EnvironmentValue } from './fact.ts';
import { environmentOfName } from './guess-labels.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { isTemplated, readVersion } from './read-version.ts';
import { createPathExpander, directoryOf, resolvePath } from './repository-path.ts';

/** A value with the file that contains it. */
interface PlacedValue extends EnvironmentValue {
  file: string;
  /** True if only the end of the file's path shows that an environment uses the file. */
  isGuessed: boolean;
}

type PlacedLayer = ReadonlyMap<string, PlacedValue>;

/** Suffixes of files from which a script creates the file with the same name. */
const templateSuffixes = ['.tmpl', '.template', '.example', '.sample', '.dist'];

/** True for a file from which a script creates a YAML file, such as `environments.yaml.example`. */
export function isYamlTemplate(base: string): boolean {
  return /\.ya?ml\.(?:tmpl|template|example|sample|dist)$/i.test(base);
}

/**
 * Returns the files from which a helmfile inherits. If the repository contains only the template of a file,
 * returns the template.
 */
function basesOf({ path, links }: ScannedFile, byPath: ReadonlyMap<string, ScannedFile>): ScannedFile[] {
  return links.flatMap((link) =>
    link.type === 'helmfile_bases'
      ? link.paths.flatMap((relative) => {
          const base = resolvePath(directoryOf(path), relative);
          if (base === null) return [];
          const names = ['', ...templateSuffixes].map((suffix) => base + suffix);
          const name = names.find((each) => byPath.has(each));
          return name === undefined ? [] : [byPath.get(name)!];
        })
      : [],
  );
}

/**
 * Replaces `{{ .Values.web.version }}` in the versions of a helmfile with the values of its environments. If
 * environments set different versions, each version is a separate fact. The place of a fact is the line that
 * sets the version.
 *
 * @param reportUnsearched Called for each file whose versions or values weren't searched completely.
 * @returns The facts of further environments.
 */
export function linkHelmfileValues(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  reportUnsearched: (path: string) => void,
): LinkedFact[] {
  const referring = facts.filter(
    ({ extractor, expression, condition }) =>
      extractor === 'helmfile' && (expression !== undefined || condition !== undefined),
  );
  if (referring.length === 0) return [];
  const reader = createEnvironmentReader(files);
  const found = referring.flatMap((fact) => {
    const { file } = fact;
    const further = useEnvironments(fact, reader);
    if (reader.isExhausted()) reportUnsearched(file);
    return further;
  });
  // Any of these files can contain values that weren't searched.
  if (reader.isExhausted())
    for (const { path, links } of files)
      if (links.some(({ type }) => type === 'environment_values')) reportUnsearched(path);
  return found;
}

/** Completes the fact of a release. Returns the facts of environments with other versions. */
function useEnvironments(fact: LinkedFact, reader: EnvironmentReader): LinkedFact[] {
  const environments = reader.environmentsOf(fact.file);
  const condition = readReference(fact.condition);
  const reference = readReference(fact.expression);
  if (!condition && !reference) return [];
  const isInstalled = environments.map(({ layers }) => reader.valueIn(layers, condition)?.text !== 'false');
  const isInstalledAnywhere = environments.length === 0 || isInstalled.includes(true);
  if (!isInstalledAnywhere) fact.reason = 'not_installed';
  const original = { ...fact };
  if (!reference) return [];
  const placed = new Map<string, { value: PlacedValue; names: string[] }>();
  for (const [at, { name, layers }] of environments.entries()) {
    if (isInstalledAnywhere && !isInstalled[at]) continue;
    const value = reader.valueIn(layers, reference);
    if (!value) continue;
    const key = `${value.file}\0${value.document}\0${value.line}`;
    const known = placed.get(key);
    if (known) known.names.push(name);
    else placed.set(key, { value, names: [name] });
  }
  // Without all values, nothing shows which version is deployed.
  if (reader.isExhausted()) return [];
  const note = fact.note ?? `value of ${fact.expression!}`;
  if (placed.size === 0) {
    if (reference.defaultValue !== null)
      Object.assign(fact, withVersion(original, reference.defaultValue), { note });
    return [];
  }
  const found = [...placed.values()].map(({ value, names }, at) => {
    const [only] = names;
    const isOne = names.length === 1 && environments.length > 1 && only !== undefined && only !== 'default';
    const { line, document } = value;
    return Object.assign(at === 0 ? fact : { ...original }, withVersion(original, value.text), {
      note,
      file: value.file,
      place: { ...original.place, line, document },
      ...(value.isGuessed && { isOriginCertain: false }),
      ...(isOne && { environment: environmentOfName(only) ?? only }),
    });
  });
  return found.slice(1);
}

/** A reference in a template to one value. */
interface Reference {
  path: string;
  /** Value that the template uses if no environment sets one. */
  defaultValue: string | null;
}

/** Returns the reference in a template, or null if the template has another form. */
function readReference(template: string | undefined): Reference | null {
  const inner = /^\{\{-?([^{}]*)\}\}$/.exec(template ?? '')?.[1]?.replace(/-$/, '');
  const [start = '', ...functions] = (inner ?? '').split('|').map((part) => part.trim());
  const dotted = /^\$?\.(?:Values|StateValues|Environment\.Values)((?:\.\w+)*)$/.exec(start)?.[1];
  if (dotted === undefined) return null;
  const keys = dotted === '' ? [] : [dotted.slice(1)];
  let defaultValue: string | null = null;
  for (const each of functions) {
    const [, name, key, given] = /^(get|getOrNil)\s+"([\w.-]+)"(?:\s+(\S.*))?$/.exec(each) ?? [];
    const literal = /^(?:default\s+)?["`]([^"`]*)["`]$/.exec(name === undefined ? each : (given ?? ''))?.[1];
    if (key !== undefined) keys.push(key);
    else if (literal === undefined && !/^(?:quote|squote|toString|toYaml)$/.test(each)) return null;
    if (literal !== undefined && literal !== '') defaultValue = literal;
  }
  return keys.length === 0 ? null : { path: keys.join('.'), defaultValue };
}

function withVersion({ reason }: LinkedFact, text: string): Partial<LinkedFact> {
  const read = readVersion(text, 'chart');
  return { ...read, ...(reason === 'not_installed' && { reason }) };
}

interface Environment {
  name: string;
  /** Values by path. Each layer overrides those before it. */
  layers: PlacedLayer[];
}

interface EnvironmentReader {
  /** Returns the environments of a helmfile with their values. */
  environmentsOf(file: string): readonly Environment[];
  /** Returns a value from the last layer that contains it. */
  valueIn(layers: readonly PlacedLayer[], reference: Reference | null): PlacedValue | undefined;
  /** True after the scan has reached its limit of searches, so that values might be missing. */
  isExhausted(): boolean;
}

/** Maximum number of environments of one helmfile. Real helmfiles have fewer than 30. */
const maxEnvironments = 100;
/**
 * Maximum number of links and values that one scan follows and searches, counted each time. Real scans need a
 * few thousand.
 */
const maxSearches = 2_000_000;
/** Maximum number of paths of which only the end is known. Each one is compared with all files. */
const maxPathEnds = 1_000;

function createEnvironmentReader(files: readonly ScannedFile[]): EnvironmentReader {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const layersByPath = new Map<string, PlacedLayer[]>();
  const layersByValues = new Map<readonly EnvironmentValue[], PlacedLayer>();
  const pathByEnd = new Map<string, string | null>();
  const expand = createPathExpander([...byPath.keys()]);
  let left = maxSearches;
  let last: { file: string; environments: Environment[] } | null = null;

  const layersOf = (path: string, isGuessed: boolean): PlacedLayer[] => {
    const key = `${isGuessed} ${path}`;
    const known =
      layersByPath.get(key) ?? valuesOf(byPath.get(path)).map((each) => toLayer(each, path, isGuessed));
    layersByPath.set(key, known);
    return known;
  };

  /**
   * Returns the layer of values that a helmfile contains. The layer is cached, because many helmfiles can
   * inherit from the same helmfile, and each can list it several times.
   */
  const ownLayerOf = (values: readonly EnvironmentValue[], file: string): PlacedLayer => {
    const layer = layersByValues.get(values) ?? toLayer(values, file, false);
    layersByValues.set(values, layer);
    return layer;
  };

  /** Returns the only values file that a path such as `{{ $directory }}/all.yaml` can refer to, or null. */
  const onlyFileEndingWith = (templated: string): string | null => {
    const end = /^\{\{[^{}]*\}\}(\/.+)$/.exec(templated)?.[1];
    if (end === undefined || isTemplated(end)) return null;
    const known = pathByEnd.get(end);
    if (known !== undefined || pathByEnd.size >= maxPathEnds) return known ?? null;
    const found = files.filter((file) => `/${file.path}`.endsWith(end) && valuesOf(file).length > 0);
    const path = found.length === 1 ? found[0]!.path : null;
    pathByEnd.set(end, path);
    return path;
  };

  const read = (file: ScannedFile): Environment[] => {
    const environments = new Map<string, Environment>();
    const add = (name: string, layers: readonly PlacedLayer[]) => {
      const known = environments.get(name);
      if (known) known.layers.push(...layers);
      else if (environments.size < maxEnvironments) environments.set(name, { name, layers: [...layers] });
    };
    for (const source of [...basesOf(file, byPath), file])
      for (const link of source.links) {
        if (left-- <= 0) return [...environments.values()];
        if (link.type === 'environment_values' && link.environment !== undefined)
          add(link.environment, [ownLayerOf(link.values, source.path)]);
        if (link.type !== 'values_files' || link.environment === undefined || link.release) continue;
        for (const relative of link.paths) {
          if (left-- <= 0) return [...environments.values()];
          const isGuessed = isTemplated(relative);
          // The paths in a base are relative to the helmfile that inherits from it.
          const path = isGuessed
            ? onlyFileEndingWith(relative)
            : resolvePath(directoryOf(file.path), relative);
          add(link.environment, []);
          for (const each of path === null ? [] : expand(path)) {
            if (left-- <= 0) return [...environments.values()];
            add(link.environment, layersOf(each, isGuessed));
          }
        }
      }
    return [...environments.values()];
  };

  return {
    environmentsOf(path) {
      // Facts of the same file are adjacent, so only the environments of the last file are kept.
      if (last?.file === path) return last.environments;
      const file = byPath.get(path);
      last = { file: path, environments: file ? read(file) : [] };
      return last.environments;
    },
    valueIn(layers, reference) {
      if (reference === null) return undefined;
      // Search from the last layer without a reversed copy, which would take as long to create as searching
      // all layers.
      for (let at = layers.length - 1; at >= 0; at--) {
        if (left-- <= 0) return undefined;
        const value = layers[at]!.get(reference.path);
        if (value) return value;
      }
      return undefined;
    },
    isExhausted: () => left < 0,
  };
}

function toLayer(values: readonly EnvironmentValue[], file: string, isGuessed: boolean): PlacedLayer {
  return new Map(values.map((value) => [value.path, { ...value, file, isGuessed }]));
}

function valuesOf(file: ScannedFile | undefined): readonly EnvironmentValue[][] {
  return (file?.links ?? []).flatMap((link) =>
    link.type === 'environment_values' && link.environment === undefined ? [link.values] : [],
  );
}
