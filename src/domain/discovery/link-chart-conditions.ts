import { type InstalledValues, pathInFile } from './chart-installations.ts';
import type { Extracted } from './fact.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { directoryOf, resolvePath } from './repository-path.ts';
import { defaultValuesFilesOf, isDefaultValuesFile, isValuesFile } from './values-variants.ts';

type Flags = LinkOf<'value_flags'>['flags'];
type Dependency = LinkOf<'chart_conditions'>['dependencies'][number];

/**
 * Marks the dependencies of a chart, and charts that are named in values, as not installed if the values
 * disable them. As in Helm, the first condition that the values contain is used, and the tags only if there's
 * none. A dependency that any other values in the repository can enable isn't marked, because the scan
 * doesn't know which values an installation uses.
 */
export function linkChartConditions(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  chartDirectories: ReadonlySet<string>,
): void {
  const flagsOf = new Map<string, Flags>();
  const conditionsOf = new Map<string, readonly Dependency[]>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type === 'value_flags') flagsOf.set(path, [...(flagsOf.get(path) ?? []), ...link.flags]);
      else if (link.type === 'chart_conditions') conditionsOf.set(directoryOf(path), link.dependencies);
    }
  if (flagsOf.size === 0) return;
  const flagsByPath = new Map([...flagsOf].map(([file, flags]) => [file, new Map(flags)]));
  const isEnabledOutside = createEnabledCheck(flagsOf, chartDirectories);
  const hasUnknownValues = createUnknownValuesCheck(files);
  const disabledIn = new Map<string, Map<string, string>>();
  for (const [directory, dependencies] of conditionsOf) {
    const file = defaultValuesFilesOf(directory).find((path) => flagsOf.has(path));
    if (file === undefined || hasUnknownValues(directory)) continue;
    const flags = flagsByPath.get(file)!;
    const disabled = new Map<string, string>();
    for (const dependency of dependencies) {
      const by = disablingFlags(dependency, flags);
      const [first] = by;
      if (first === undefined) continue;
      const deciding = [...dependency.conditions, ...dependency.tags.map((tag) => `tags.${tag}`)];
      if (!deciding.some((path) => isEnabledOutside(path, file)))
        disabled.set(dependency.key, `${first} is false in ${file}`);
    }
    disabledIn.set(directory, disabled);
  }
  for (const fact of facts) {
    const { extractor, artifact, place, file } = fact;
    const path = flagOfChart(place.field);
    const note =
      extractor === 'helm_chart'
        ? disabledIn.get(directoryOf(file))?.get(/^dependencies\[(.*)\]$/.exec(place.field)?.[1] ?? '')
        : extractor === 'helm_values' &&
            artifact.kind === 'chart' &&
            flagsByPath.get(file)?.get(path) === false &&
            !isEnabledOutside(path, file) &&
            !hasUnknownValues(directoryOf(file))
          ? `${path} is false`
          : undefined;
    if (note !== undefined) Object.assign(fact, { reason: 'not_installed', note: note.slice(0, 300) });
  }
}

/** The flags of values files, for the conditions in the templates of charts. */
export interface TemplateFlags {
  /**
   * Returns the first flag that is false with the values of an installation, or undefined. Flags of an installation
   * with other values aren't known, nor are those in a file without the name of a values file.
   *
   * @param values The files that set values of the chart, and after them those with default values.
   */
  disabling(
    flags: readonly string[],
    directory: string,
    values: readonly InstalledValues[],
  ): string | undefined;
}

export function createTemplateFlags(files: readonly ScannedFile[]): TemplateFlags {
  const hasUnknownValues = createUnknownValuesCheck(files);
  const flagsOf = new Map<string, Map<string, boolean>>();
  /** Flags that objects enable, such as the inline values of an Application. */
  const enabledByObjects = new Set<string>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'value_flags') continue;
      const known = flagsOf.get(path) ?? new Map<string, boolean>();
      flagsOf.set(path, known);
      for (const [flag, isEnabled] of link.flags) {
        known.set(flag, isEnabled);
        if (isEnabled && !/values/i.test(path)) enabledByObjects.add(flag);
      }
    }
  return {
    disabling(flags, directory, values) {
      if (flags.length === 0 || hasUnknownValues(directory)) return undefined;
      if (!values.every(({ file }) => isValuesFile(file))) return undefined;
      return flags.find((flag) => {
        const known = values.flatMap(({ file, prefix }) => {
          const isEnabled = flagsOf.get(file)?.get(pathInFile(flag, prefix));
          return isEnabled === undefined ? [] : [{ isEnabled, isDefault: isDefaultValuesFile(file) }];
        });
        const isEnabledByAny = known.some(({ isEnabled, isDefault }) => isEnabled && !isDefault);
        return known[0]?.isEnabled === false && !isEnabledByAny && !enabledByObjects.has(flag);
      });
    },
  };
}

/**
 * Returns a function that returns true if a chart may be installed with values that the scan didn't read. The
 * scan doesn't recognize values with unusual or templated file names, or in another repository, and it doesn't read all
 * flags of a file with too many. Such values can enable any dependency.
 */
function createUnknownValuesCheck(files: readonly ScannedFile[]): (directory: string) => boolean {
  const isValues = (path: string) => /values/i.test(path);
  const directories = new Set<string>();
  let isAnyUnknown = false;
  for (const { links } of files)
    for (const link of links) {
      if (link.type === 'value_flags') isAnyUnknown ||= link.isCut === true;
      // This link doesn't specify the chart that gets the values, unlike a link of an Application.
      else if (link.type === 'values_files' && !link.isFromRoot) isAnyUnknown ||= !link.paths.every(isValues);
      else if (link.type === 'application' && !link.valuesFiles?.every(isValues)) {
        const directory = resolvePath('', link.directory);
        if (directory !== null) directories.add(directory);
      }
    }
  return (directory) => {
    // Check the parent directories as well, because an Application can install a chart that contains this
    // one.
    for (let at = directory.length; at > 0; at = directory.lastIndexOf('/', at - 1))
      if (directories.has(directory.slice(0, at))) return true;
    return isAnyUnknown || directories.has('');
  };
}

/**
 * Returns the path of the flag that enables a chart in values. `field` is the field of the chart or of its
 * version.
 */
function flagOfChart(field: string): string {
  const dot = field.lastIndexOf('.');
  const isVersion = /(?:version|revision)$/i.test(field.slice(dot + 1));
  const parent = isVersion ? field.slice(0, Math.max(0, dot)) : field;
  return parent === '' ? 'enabled' : `${parent}.enabled`;
}

/** Returns the flags of a chart's own values that disable a dependency. Empty if it's enabled. */
function disablingFlags({ conditions, tags }: Dependency, flags: ReadonlyMap<string, boolean>): string[] {
  const condition = conditions.find((path) => flags.has(path));
  if (condition !== undefined) return flags.get(condition) ? [] : [condition];
  const known = tags.map((tag) => `tags.${tag}`).filter((path) => flags.has(path));
  return known.some((path) => flags.get(path)) ? [] : known;
}

/**
 * Returns a function that returns true if values in another file enable the flag at a path, possibly below
 * the key of a subchart. The default values of another chart count only below such a key.
 */
function createEnabledCheck(
  flagsOf: ReadonlyMap<string, Flags>,
  chartDirectories: ReadonlySet<string>,
): (path: string, file: string) => boolean {
  const filesOf = new Map<string, Set<string>>();
  for (const [file, flags] of flagsOf) {
    const isDefault = isDefaultValuesFile(file) && chartDirectories.has(directoryOf(file));
    for (const [path, isEnabled] of flags) {
      if (!isEnabled) continue;
      let at = isDefault ? path.indexOf('.') + 1 : 0;
      for (let parts = 0; parts < maxParts && (at > 0 || parts === 0); parts++) {
        if (at > 0 || !isDefault) add(filesOf, path.slice(at), file);
        at = path.indexOf('.', at) + 1;
      }
    }
  }
  return (path, file) => {
    const found = filesOf.get(path);
    return found !== undefined && (found.size > 1 || !found.has(file));
  };
}

/** Maximum number of keys of subcharts that can precede a path in values. */
const maxParts = 10;

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.add(value);
  else map.set(key, new Set([value]));
}

/**
 * Keys whose values determine whether a part of a chart is deployed, such as `redis.enabled`, `tags.queue`,
 * and `applications.web`.
 */
const flagPath =
  /(?:^|\.)(?:enabled?|install(?:ed)?|deploy(?:ed)?|create)$|^(?:global|tags|apps?|applications|components|features|services|add-?ons|charts)\.[^.]+$/i;
/** Maximum number of flags of one file. Real files have up to a few hundred. */
const maxFlags = 1_000;

/** Collects the flags in values. */
export function createFlagCollector(): {
  visit(field: string, text: string): void;
  /**
   * Adds the flags to the result of a file, and a problem with the number of skipped flags if there are too many.
   */
  addTo(result: Extracted, line: number): void;
} {
  const flags: Flags = [];
  let omittedCount = 0;
  return {
    visit(field, text) {
      if ((text !== 'true' && text !== 'false') || !flagPath.test(field)) return;
      if (flags.length < maxFlags) flags.push([field, text === 'true']);
      else omittedCount++;
    },
    addTo(result, line) {
      if (flags.length === 0) return;
      result.links.push({ type: 'value_flags', flags, ...(omittedCount > 0 && { isCut: true as const }) });
      if (omittedCount === 0) return;
      const message = `The file has ${flags.length + omittedCount} values that can enable parts of a chart, and ${omittedCount} of them were skipped. What they enable counts as deployed.`;
      result.problems.push({ line, reason: 'too_large', message, isRestRead: true });
    },
  };
}
