import { withoutTrailing } from '../text/trailing.ts';
import {
  type ChartInstallations,
  type ChartValues,
  pathInFile,
  type WrittenValue,
} from './chart-installations.ts';
import type { ImagePart } from './fact.ts';
import { nameOfPlace } from './item-identity.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { hasRegistryHost, looksLikeImage, readImage, splitImage } from './read-image.ts';
import { directoryOf } from './repository-path.ts';
import { maxItems } from './scan-limits.ts';
import { chartOfTemplate, type Subcharts } from './subcharts.ts';
import { defaultValuesFilesOf } from './values-variants.ts';

/** A chart of the repository, or a chart that is part of it. */
interface Layer {
  directory: string;
  /** Keys that lead to the values of the innermost chart in those of this chart, each followed by a dot. */
  prefix: string;
}

/** An image that a chart builds. */
interface BuiltImage {
  parts: readonly ImagePart[];
  /** True if a condition of the template chooses between this image and others. */
  isAlternative: boolean;
  appVersion: string | null;
  /** Charts whose values can set the image, the installed one first. */
  layers: readonly Layer[];
}

/** A value, and the file that sets it. */
interface PlacedValue {
  file: string;
  value: WrittenValue;
}

/** An image whose parts are replaced with values. */
interface ResolvedImage {
  name: string;
  tag: string;
  digest: string | null;
  /** The value that contains the tag. */
  version: PlacedValue;
  /** False if a part in front of the name has no value, so the registry isn't known. */
  isRegistryKnown: boolean;
}

/** Maximum number of files in which one scan looks up the parts of images. Real scans need a few thousand. */
const maxLookups = 200_000;
/** Maximum number of images that have the same value as their version. Real charts have up to five. */
const maxImagesOfValue = 10;
/** Maximum number of images of one chart, including those of its subcharts. */
const maxImagesOfChart = 1_000;
/** Maximum number of charts that contain each other. */
const maxChartDepth = 5;

/**
 * Links values to the images that templates of a chart build from them. The values can be those of the chart or of an
 * installation: of a release in a helmfile, an Application, or a chart that contains the chart. An image that the
 * values name without its registry gets the registry that the chart puts in front of it.
 *
 * @param options.reportUnsearched Called for each chart's values file that wasn't searched, because the scan reached
 * its limit.
 * @returns The images that no extractor has found, because the values contain only their versions, and the facts of
 * templates to drop, because the versions of their images are now known.
 */
export function linkBuiltImages(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  {
    chartDirectories,
    subcharts,
    valuesOf,
    installations,
    reportUnsearched,
  }: {
    chartDirectories: ReadonlySet<string>;
    subcharts: Subcharts;
    valuesOf: ReadonlyMap<string, ChartValues>;
    installations: ChartInstallations;
    reportUnsearched: (path: string) => void;
  },
): { added: readonly LinkedFact[]; resolved: ReadonlySet<LinkedFact> } {
  const images = imagesOfCharts(files, chartDirectories, subcharts);
  if (images.size === 0) return { added: [], resolved: new Set() };
  const linker = createLinker(facts);
  /** Images of each chart whose versions are in values. */
  const versioned = new Map<string, LinkedFact>();
  let left = maxLookups;
  for (const [directory, own] of images) {
    const base = defaultValuesFilesOf(directory).find((path) => valuesOf.has(path));
    const defaults = base === undefined ? [] : [base];
    const installed = installations.ofChart(directory).map(({ values, isCertain }) => ({
      files: values.flatMap(({ file }) => (valuesOf.has(file) ? file : [])),
      isCertain,
    }));
    // Each file of an installation is searched first once.
    const cost =
      installed.reduce((sum, { files: used }) => sum + used.length ** 2, 1) +
      installations.all(directory).reduce((sum, { values }) => sum + values.length, 0);
    for (const image of own) {
      left -= cost;
      if (left < 0) break;
      const [outer, ...inner] = image.layers.map(
        ({ directory: chart, prefix }): Reader => ({ files: defaultValuesFilesOf(chart), prefix }),
      );
      const link = (file: string, used: readonly string[], isCertain: boolean) => {
        const readers = [{ ...outer!, files: [file, ...used, ...outer!.files] }, ...inner];
        const built = resolveImage(image, valuesOf, readers);
        const fact = built?.version.file === file ? linker.link(built, isCertain, image.isAlternative) : null;
        if (!built || !fact) return;
        versioned.set(JSON.stringify([image.layers.at(-1)!.directory, fact.artifact.name]), fact);
        if (file === base && installations.replaceValue(directory, built.version.value.path))
          Object.assign(fact, { state: 'overridden', reason: 'overridden' });
      };
      for (const file of defaults) link(file, [], true);
      for (const { files: used, isCertain } of installed)
        for (const file of used) link(file, used, isCertain);
    }
    left -= cost;
    if (left < 0) {
      for (const file of defaults) reportUnsearched(file);
      continue;
    }
    const registry = commonRegistry(own);
    if (registry === null) continue;
    for (const used of [defaults, ...installed.map(({ files: each }) => each)])
      for (const file of used) {
        const readers = [{ files: [file, ...used, ...defaults], prefix: '' }];
        linker.addRegistry(file, resolveParts([registry], null, valuesOf, readers)[0]?.text ?? '');
      }
  }
  const resolved = facts.filter(({ file, artifact, state }) => {
    const chart = state === 'templated' ? chartOfTemplate(file, chartDirectories) : null;
    const built = chart === null ? undefined : versioned.get(JSON.stringify([chart, artifact.name]));
    return built !== undefined && !linker.ambiguous.has(built);
  });
  return { added: linker.added(), resolved: new Set(resolved) };
}

/** Returns the images of each chart, including those of its subcharts. */
function imagesOfCharts(
  files: readonly ScannedFile[],
  chartDirectories: ReadonlySet<string>,
  subcharts: Subcharts,
): ReadonlyMap<string, readonly BuiltImage[]> {
  const own = new Map<string, Map<string, LinkOf<'built_image'>>>();
  const appVersions = new Map<string, string | null>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type === 'chart') appVersions.set(directoryOf(path), link.appVersion);
      if (link.type !== 'built_image') continue;
      const directory = chartOfTemplate(path, chartDirectories);
      if (directory === null) continue;
      const known = own.get(directory) ?? new Map<string, LinkOf<'built_image'>>();
      own.set(directory, known);
      if (known.size < maxImagesOfChart) known.set(JSON.stringify(link), link);
    }
  if (own.size === 0) return new Map();
  const found = new Map<string, BuiltImage[]>();
  for (const [directory, images] of own)
    for (const { parts, isAlternative = false } of images.values()) {
      const appVersion = appVersions.get(directory) ?? null;
      addToParents(
        { parts, isAlternative, appVersion, layers: [{ directory, prefix: '' }] },
        subcharts,
        found,
      );
    }
  return found;
}

/** Returns the part with the registry that a chart puts in front of all images that it builds, or null. */
function commonRegistry(images: readonly BuiltImage[]): ImagePart | null {
  let common: ImagePart | null = null;
  for (const { parts, layers } of images) {
    if (layers.length > 1) continue;
    const [registry, next] = parts;
    const [after] = next ?? [];
    if (!registry || !after || !('text' in after) || !after.text.startsWith('/')) return null;
    if (common !== null && JSON.stringify(common) !== JSON.stringify(registry)) return null;
    common = registry;
  }
  return common;
}

/** Adds an image to its chart, and to all charts that contain the chart. */
function addToParents(image: BuiltImage, subcharts: Subcharts, found: Map<string, BuiltImage[]>): void {
  const [{ directory }] = image.layers as [Layer];
  const images = found.get(directory) ?? [];
  found.set(directory, images);
  if (images.length >= maxImagesOfChart) return;
  images.push(image);
  if (image.layers.length > maxChartDepth) return;
  for (const parent of subcharts.parentsOf(directory)) {
    const prefix = `${parent.key}.${image.layers[0]!.prefix}`;
    addToParents(
      { ...image, layers: [{ directory: parent.directory, prefix }, ...image.layers] },
      subcharts,
      found,
    );
  }
}

/** Files that can set a value, with the keys that precede its path. The first file that sets it is used. */
interface Reader {
  files: readonly string[];
  prefix: string;
}

/** Replaces parts with values. A part without a value is empty. */
function resolveParts(
  parts: readonly ImagePart[],
  appVersion: string | null,
  valuesOf: ReadonlyMap<string, ChartValues>,
  readers: readonly Reader[],
): { text: string; value: PlacedValue | null }[] {
  const lookUp = (path: string): PlacedValue | null => {
    for (const { files, prefix } of readers) {
      const key = pathInFile(path, prefix);
      for (const file of files) {
        const value = valuesOf.get(file)?.get(key);
        if (value) return { file, value };
      }
    }
    return null;
  };
  return parts.map((part) => {
    for (const choice of part) {
      if ('text' in choice) return { text: choice.text, value: null };
      const value = 'path' in choice ? lookUp(choice.path) : null;
      const text = value?.value.text ?? ('isAppVersion' in choice ? appVersion : null) ?? '';
      if (text !== '') return { text, value };
    }
    return { text: '', value: null };
  });
}

/** Replaces the parts of an image with values. Returns null if the values don't set its name and its tag. */
function resolveImage(
  { parts, appVersion }: BuiltImage,
  valuesOf: ReadonlyMap<string, ChartValues>,
  readers: readonly Reader[],
): ResolvedImage | null {
  const resolved = resolveParts(parts, appVersion, valuesOf, readers);
  // Only a part in front of the name can be unknown, because it contains the registry.
  const [first, ...rest] = resolved;
  const isRegistryMissing = first?.text === '' && rest[0]?.text.startsWith('/') === true;
  const whole = (isRegistryMissing ? rest : resolved).map(({ text }) => text).join('');
  const written = isRegistryMissing ? whole.slice(1) : whole;
  if (resolved.some(({ text }, at) => text === '' && !(at === 0 && isRegistryMissing))) return null;
  const split = looksLikeImage(written) ? splitImage(written) : null;
  if (!split || split.tag === null || !/^[\w.-]{1,128}$/.test(split.tag) || !/[a-z]/i.test(split.name))
    return null;
  // The tag is in the part that contains its first character.
  let start = whole.length - written.length;
  const tagStart = start + split.name.length + 1;
  start = 0;
  for (const { text, value } of isRegistryMissing ? rest : resolved) {
    start += text.length;
    // A literal in front of the value, such as `v`, is a part of the tag.
    if (start <= tagStart || (value === null && /^v?$/.test(text.slice(text.lastIndexOf(':') + 1)))) continue;
    return (
      value && {
        name: split.name,
        tag: split.tag,
        digest: split.digest,
        version: value,
        isRegistryKnown: !isRegistryMissing,
      }
    );
  }
  return null;
}

/** Returns an object that adds images to the facts, or completes the facts of their values. */
function createLinker(facts: readonly LinkedFact[]): {
  added(): readonly LinkedFact[];
  /** Images that aren't added, because a condition chooses between them. */
  ambiguous: ReadonlySet<LinkedFact>;
  /** Returns the fact of an image, or null if another image is on its line. */
  link(image: ResolvedImage, isCertain: boolean, isAlternative: boolean): LinkedFact | null;
  /** Adds a registry to the images in a file whose names have none. */
  addRegistry(file: string, registry: string): void;
} {
  const images = facts.filter(
    ({ extractor, artifact }) => extractor === 'helm_values' && artifact.kind === 'image',
  );
  const byLine = Map.groupBy(images, ({ file, place }) => lineKey(file, place));
  const unqualified = Map.groupBy(
    images.filter(({ origin }) => origin.type === 'oci' && !hasRegistryHost(origin.reference)),
    ({ file }) => file,
  );
  const added = new Set<LinkedFact>();
  /** Images between which a condition chooses. */
  const alternatives = new Set<LinkedFact>();
  const ambiguous = new Set<LinkedFact>();
  return {
    added: () => [...added].filter((fact) => !ambiguous.has(fact)),
    ambiguous,
    link({ name, tag, digest, version: { file, value }, isRegistryKnown }, isCertain, isAlternative) {
      const read = readImage({ name, tag, digest });
      const key = lineKey(file, value);
      const onLine = byLine.get(key) ?? [];
      const isKnown = isRegistryKnown && isCertain;
      const same = onLine.filter((each) => isNamedAfterPlace(each) || isSameImage(each.artifact.name, name));
      for (const each of same) {
        // Several templates can build an image from the same values. A name with the host of a registry needs no other
        // registry in front of it.
        const isComplete =
          !isNamedAfterPlace(each) &&
          (hasRegistryHost(name) && hasRegistryHost(each.artifact.name)
            ? each.artifact.name.length <= name.length
            : each.artifact.name.length >= name.length);
        if (!isComplete) Object.assign(each, { artifact: read.artifact, origin: read.origin });
        each.isOriginCertain = isKnown || (isComplete && each.isOriginCertain);
      }
      const [found] = same;
      if (found) return found;
      // A line that an extractor has read can't contain another image.
      if (onLine.some((fact) => !added.has(fact))) return null;
      // Nothing shows which of several alternatives with the same version is used.
      const others = isAlternative ? onLine.filter((fact) => alternatives.has(fact)) : [];
      for (const fact of others) ambiguous.add(fact);
      if (others.length > 0 || onLine.length >= maxImagesOfValue || added.size >= maxItems) return null;
      const { path: field, line, document } = value;
      const fact: LinkedFact = {
        extractor: 'helm_values',
        place: {
          line,
          document,
          kind: null,
          namespace: null,
          name: null,
          // Several images can have the same version.
          field: onLine.length === 0 ? field : `${field} ${name}`,
        },
        ...read,
        note: 'image that a template of the chart builds',
        file,
        isOriginCertain: isKnown,
      };
      if (onLine.length > 0) onLine.push(fact);
      else byLine.set(key, [fact]);
      added.add(fact);
      if (isAlternative) alternatives.add(fact);
      return fact;
    },
    addRegistry(file, registry) {
      if (!hasRegistryHost(`${registry}/image`)) return;
      for (const fact of unqualified.get(file) ?? []) {
        // The name itself can be a registry if the chart has the name of the image in another value.
        if (hasRegistryHost(`${fact.artifact.name}/image`)) continue;
        const name = `${withoutTrailing(registry, '/')}/${fact.artifact.name}`;
        fact.artifact = { kind: 'image', name };
        fact.origin = { type: 'oci', reference: name };
        fact.isOriginCertain = false;
        fact.note ??= 'registry that the templates of the chart add';
      }
    },
  };
}

/** True for a tag whose image no other file of values contains. */
function isNamedAfterPlace({ origin, artifact, file, place }: LinkedFact): boolean {
  return origin.type === 'unknown' && artifact.name === nameOfPlace(file, place.field);
}

/** True if two names belong to the same image, although one of them can be without its registry. */
function isSameImage(a: string, b: string): boolean {
  const [long, short] = a.length > b.length ? [a, b] : [b, a];
  // Compare without new texts, because a scan can compare many names.
  return a === b || (long.endsWith(short) && long.at(-short.length - 1) === '/');
}

function lineKey(file: string, { line }: { line: number }): string {
  return `${line} ${file}`;
}
