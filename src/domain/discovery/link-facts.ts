import { linkAnsibleValues, variableFilesOfPlaybooks } from './ansible-values.ts';
import { applyDotenv, type DotenvFile } from './apply-dotenv.ts';
import { chartOrigin } from './chart-fact.ts';
import { findChartInstallations, readChartValues } from './chart-installations.ts';
import { type Extracted, type Fact, type Link, linksOf } from './fact.ts';
import { createPatchCheck, imagesReplacedByAllOverlays, unusedOverrides } from './kustomize-overlays.ts';
import { findUnusedAnsibleFacts } from './link-ansible-uses.ts';
import { linkApplicationFlags } from './link-application-flags.ts';
import { linkBuiltImages } from './link-built-images.ts';
import { linkChartConditions } from './link-chart-conditions.ts';
import { imagesOfStacks, linkExtendedServices } from './link-compose-services.ts';
import { linkEnvironmentFiles } from './link-environment-files.ts';
import { linkFluxVariables } from './link-flux-variables.ts';
import { linkGitlabVariables } from './link-gitlab-variables.ts';
import { linkHelmfileValues } from './link-helmfile-values.ts';
import { linkImagePolicies } from './link-image-policies.ts';
import { findUnlistedFacts } from './link-kustomizations.ts';
import { linkPullThrough } from './link-pull-through.ts';
import { findTemplatedCharts, markTemplatedCharts } from './link-templated-charts.ts';
import { linkTemplatedVersions } from './link-templated-versions.ts';
import { collectPassedVersions, linkTerraformValues } from './link-terraform-values.ts';
import { canDeployToProduction, linkValueOverlays } from './link-value-overlays.ts';
import {
  findNamedBases,
  findReplacedValues,
  findValuesFileUses,
  imagesOfNamedFiles,
  setReleasesOfValues,
} from './link-values-files.ts';
import { push } from './push.ts';
import { isTemplated } from './read-version.ts';
import { baseOf, directoryOf } from './repository-path.ts';
import { findSubcharts } from './subcharts.ts';
import { isInRange } from './terraform-range.ts';
import { useAppVersions } from './use-app-versions.ts';
import { linkVersionPatches } from './version-patches.ts';

/** The content that was read from one file. */
export interface ScannedFile extends Extracted {
  path: string;
}

/** A fact completed with information from other files. */
export interface LinkedFact extends Fact {
  file: string;
  /**
   * True if the link to the origin is certain. A link to an object that was found by its name alone isn't
   * certain.
   */
  isOriginCertain: boolean;
  /** The file that contains the variables of the version, if another object contains the version. */
  templateFile?: string;
}

export type LinkOf<T extends Link['type']> = Extract<Link, { type: T }>;

/**
 * Completes the facts of a repository with information from other files. Facts that are part of another fact
 * are dropped.
 */
export function linkFacts(
  files: readonly ScannedFile[],
  {
    dotenvFiles = [],
    paths = files.map(({ path }) => path),
    isRead = () => false,
    unreadPaths = [],
    isWholeRepository = false,
    reportUnsearched = () => undefined,
  }: {
    dotenvFiles?: readonly DotenvFile[];
    /** Paths of all files, even if they contain no versions. */
    paths?: readonly string[];
    /** True if a file was read without problems. */
    isRead?: (path: string) => boolean;
    /** Paths of files and directories that couldn't be read. */
    unreadPaths?: readonly string[];
    /** True if the files are all files of a repository. */
    isWholeRepository?: boolean;
    /** Called for each file whose versions weren't all searched, because the scan reached a limit. */
    reportUnsearched?: (path: string) => void;
  } = {},
): LinkedFact[] {
  const facts = files.flatMap(({ path, facts: own }) => own.map((fact) => toLinked(path, fact)));
  const valuesUses = findValuesFileUses(files);
  for (const { path, fact } of [...imagesOfNamedFiles(files, valuesUses), ...imagesOfStacks(files)])
    facts.push(toLinked(path, fact));
  setReleasesOfValues(facts, valuesUses);
  const built = linkExtendedServices(facts, files);
  applyDotenv(facts, dotenvFiles);
  linkEnvironmentFiles(facts, linksOf(files, 'environment_file'));
  const passed = collectPassedVersions(
    facts,
    linksOf(files, 'passed_values'),
    linksOf(files, 'terraform_values'),
  );
  facts.push(...passed.added);
  const values = new Set([
    ...passed.replaced,
    ...linkTerraformValues(facts, linksOf(files, 'terraform_values')),
  ]);
  linkGitlabVariables(facts, linksOf(files, 'gitlab_pipeline'));
  const namedVariables = variableFilesOfPlaybooks(files);
  for (const [path, link] of namedVariables) facts.push(...link.facts.map((fact) => toLinked(path, fact)));
  const { added: ofInventories, dropped: variables } = linkAnsibleValues(
    facts,
    linksOf(files, 'ansible_values'),
    namedVariables,
    [...linksOf(files, 'ansible_inventory')],
    linksOf(files, 'ansible_uses'),
    paths,
    reportUnsearched,
  );
  facts.push(...ofInventories);
  const declared = lockVersions(facts, files);
  const referenced = linkFluxSources(facts, files);
  linkPatches(facts, files);
  linkHelmfileRepositories(facts, files);
  facts.push(...linkHelmfileValues(facts, files, reportUnsearched));
  const charts = new Set(Array.from(linksOf(files, 'chart'), ([path]) => directoryOf(path)));
  const subcharts = findSubcharts(files, charts);
  useAppVersions(facts, files, { subcharts, paths, unreadPaths });
  const inCharts = { chartDirectories: charts, subcharts, paths, unreadPaths };
  const [existing, unread] = [new Set(paths), new Set(unreadPaths)];
  const isReadable = (path: string) => existing.has(path) && !unread.has(path);
  linkValueOverlays(facts, files, inCharts, findNamedBases(facts, valuesUses, isReadable, reportUnsearched));
  for (const fact of findReplacedValues(facts, valuesUses))
    Object.assign(fact, { state: 'overridden', reason: 'overridden' });
  // A file that wasn't read, or that is outside of the scan, can install a chart, use a role, or include a manifest.
  const isEveryUseKnown = isWholeRepository && !unreadPaths.some(canReferToFiles);
  const valuesOf = readChartValues(files);
  const ofCharts = { ...inCharts, uses: valuesUses, valuesOf, isRead, isEveryUseKnown };
  const templatedCharts = findTemplatedCharts(facts, files, {
    ...ofCharts,
    installations: findChartInstallations(facts, files, ofCharts),
    reportUnsearched,
  });
  facts.push(...templatedCharts.map(({ fact }) => fact));
  // A chart that an Application in a template names can install a chart of this repository.
  const installations = findChartInstallations(facts, files, ofCharts);
  markTemplatedCharts(templatedCharts, files, installations);
  const ofInstallations = { ...inCharts, valuesOf, installations, reportUnsearched };
  const images = linkBuiltImages(facts, files, ofInstallations);
  setReleasesOfValues(images.added, valuesUses);
  facts.push(...images.added, ...linkTemplatedVersions(files, ofInstallations));
  linkChartConditions(facts, files, charts);
  linkApplicationFlags(facts, files, ofInstallations);
  facts.push(...linkVersionPatches(facts, files));
  const covered = imagesReplacedByAllOverlays(facts, files);
  const unused = unusedOverrides(facts, files, isRead);
  const notReplaced = [referenced, declared, built, values, variables, images.resolved, covered, unused];
  const ofFlux = linkFluxVariables(
    facts,
    files,
    (fact) => fact.state !== 'overridden' && !notReplaced.some((each) => each.has(fact)),
    reportUnsearched,
  );
  facts.push(...ofFlux.added);
  linkImagePolicies(facts, linksOf(files, 'image_policy'), linksOf(files, 'flux_source'));
  linkPullThrough(
    facts,
    Array.from(linksOf(files, 'pull_through'), ([, link]) => link),
  );
  const repeated = variablesOfOtherFacts(facts);
  const linked = facts.filter(
    (fact) =>
      ![referenced, declared, built, values, variables, repeated, images.resolved, ofFlux.dropped].some(
        (dropped) => dropped.has(fact),
      ),
  );
  const notDeployed = new Map(
    isEveryUseKnown
      ? [
          ...findUnusedAnsibleFacts(facts, linksOf(files, 'ansible_uses'), paths),
          ...findUnlistedFacts(facts, files, paths),
        ]
      : [],
  );
  for (const fact of linked) {
    if (covered.has(fact)) Object.assign(fact, { state: 'overridden', reason: 'overridden' });
    if (unused.has(fact)) {
      const note = 'no resource of this kustomization has this image';
      Object.assign(fact, { reason: 'invalid', note });
    }
    fact.reason = reasonOf(fact);
    const whyNot = notDeployed.get(fact) ?? (isExample(fact) ? 'an example file' : undefined);
    if (whyNot !== undefined && fact.reason !== 'local' && fact.reason !== 'templated')
      Object.assign(fact, { reason: 'not_installed', note: whyNot });
  }
  return linked;
}

/** True for a directory, and for a file that can be a playbook, tasks, a kustomization, or an Application. */
function canReferToFiles(path: string): boolean {
  const base = baseOf(path);
  if (base.includes('.') && !/\.(?:ya?ml|j2)$/i.test(base)) return false;
  return !/(?:^|\/)(?:group_vars|host_vars|vars|defaults)\//.test(path) && !/values|secret|vault/i.test(base);
}

/**
 * Returns the environment variables, and the variables of generated ConfigMaps, that contain the version of another
 * fact. Linking has set the location of that fact to the line of the variable.
 */
function variablesOfOtherFacts(facts: readonly LinkedFact[]): ReadonlySet<LinkedFact> {
  const lineOf = ({ file, place }: LinkedFact) => `${place.line} ${file}`;
  const isVariable = ({ extractor, place }: LinkedFact) =>
    extractor === 'commands' || (extractor === 'kustomize' && place.field.startsWith('configMapGenerator['));
  const others = new Set(facts.filter((fact) => !isVariable(fact)).map(lineOf));
  return new Set(facts.filter((fact) => isVariable(fact) && others.has(lineOf(fact))));
}

/**
 * True for files that people copy and adapt, such as `compose.example.yml` and those in a directory such as
 * `0_template`. A helmfile can inherit from an example.
 */
function isExample({ file, extractor }: LinkedFact): boolean {
  if (/(?:^|\/)(?:[_.\d]{1,5}templates?|skeleton|boilerplate)\//i.test(file)) return true;
  return (
    extractor !== 'helmfile' &&
    /[._-](?:example|sample)s?\.[\w.]{2,10}$|\.(?:example|sample|dist)$/i.test(file)
  );
}

function toLinked(path: string, fact: Fact): LinkedFact {
  return { ...fact, place: { ...fact.place }, file: path, isOriginCertain: fact.isOriginGuessed !== true };
}

function reasonOf({ artifact, origin, reason }: Fact): Fact['reason'] {
  if (origin.type === 'local') return 'local';
  if ((artifact.kind === 'image' || artifact.kind === 'git') && isPlaceholder(artifact)) return 'templated';
  if (reason !== null) return reason;
  if (origin.type === 'unsupported') return 'unsupported_source';
  return origin.type === 'unknown' ? 'no_source' : null;
}

/**
 * True if the name of an image or the URL of a repository contains a placeholder, such as `REGISTRY/app`,
 * `your-registry.example.com/app`, or `github.com/YOUR_ORG/app`. Real image names are lowercase, and no image
 * is on an example domain (RFC 2606). Owners of repositories can have capital letters, such as SAP, but no
 * underscores.
 */
function isPlaceholder({ kind, name }: { kind: string; name: string }): boolean {
  const [host = '', ...rest] = name.replace(/^[a-z+]+:\/\//, '').split('/');
  const isHost = rest.length > 0 && /[.:]/.test(host);
  const segments = (isHost ? rest : [host, ...rest]).filter(isUppercase);
  if (kind === 'image')
    return (
      segments.length > 0 || (isHost && placeholderHosts.test(host)) || /(?:^|\/)your[_-]image$/i.test(name)
    );
  const owner = isHost ? rest[0] : host;
  return segments.some(
    (segment) => segment.startsWith('YOUR') || (segment === owner && segment.includes('_')),
  );
}

const placeholderHosts = /^your[-_.]|(?:^|\.)(?:example\.(?:com|net|org)|example|invalid)(?::\d+)?$/i;

function isUppercase(segment: string): boolean {
  return /^[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)*$/.test(segment) && segment.length > 1;
}

/**
 * Replaces ranges with the exact versions of lock files in the same directory.
 *
 * @returns The facts of lock files to drop. They are duplicates, because another file in the directory
 * declares the same provider.
 */
function lockVersions(facts: readonly LinkedFact[], files: readonly ScannedFile[]): ReadonlySet<LinkedFact> {
  const locked = new Map<string, string[]>();
  const findAddress = lockedAddresses(files);
  for (const type of ['chart_lock', 'provider_lock'] as const)
    for (const [path, { versions }] of linksOf(files, type))
      for (const [name, version] of versions) {
        const key = `${type} ${directoryOf(path)} ${providerName(name)}`;
        const others = locked.get(key) ?? [];
        locked.set(key, name === providerName(name) ? [version, ...others] : [...others, version]);
      }
  const seen = new Set<string>();
  const inLockFile: [key: string, fact: LinkedFact][] = [];
  for (const fact of facts) {
    const isProvider = fact.artifact.kind === 'terraform_provider';
    if (fact.extractor !== 'helm_chart' && !isProvider) continue;
    const lock = isProvider ? 'provider_lock' : 'chart_lock';
    const key = `${lock} ${directoryOf(fact.file)} ${providerName(fact.artifact.name)}`;
    if (isProvider && isLockFile(fact.file)) {
      inLockFile.push([key, fact]);
      continue;
    }
    if (isProvider) {
      seen.add(key);
      useLockedRegistry(fact, findAddress(fact));
    }
    if (fact.state !== 'range' && fact.state !== 'floating') continue;
    const range = fact.version;
    const version = locked.get(key)?.find((each) => !isProvider || isInRange(range, each));
    if (version === undefined) continue;
    Object.assign(fact, {
      version,
      state: 'exact',
      reason: null,
      note: `lock file, for ${range ?? 'any version'}`,
    });
  }
  const declared = new Set<LinkedFact>();
  for (const [key, fact] of inLockFile) {
    if (seen.has(key)) declared.add(fact);
    // Drop the second entry of a provider that is locked for both Terraform and OpenTofu.
    seen.add(key);
  }
  return declared;
}

const isLockFile = (file: string) => file.endsWith('.terraform.lock.hcl');

/**
 * Returns the name of a provider without the host of the OpenTofu registry, which lists the same providers as
 * the Terraform registry under the same names.
 */
const providerName = (address: string) => address.replace(/^registry\.opentofu\.org\//, '');

/**
 * Returns a function that finds the address of a provider in the lock file of its directory. Without such a
 * file, the function searches all lock files of the repository, because a module is locked in the directories
 * that use it. It returns null if the lock files contain addresses in both registries.
 */
function lockedAddresses(files: readonly ScannedFile[]): (fact: LinkedFact) => string | null {
  const addresses = new Map<string, Set<string>>();
  for (const [path, { versions }] of linksOf(files, 'provider_lock'))
    for (const [address] of versions)
      for (const key of [`${directoryOf(path)} ${providerName(address)}`, ` ${providerName(address)}`]) {
        const known = addresses.get(key) ?? new Set();
        addresses.set(key, known.add(address));
      }
  return ({ artifact, file }) => {
    const name = providerName(artifact.name);
    const found = addresses.get(`${directoryOf(file)} ${name}`) ?? addresses.get(` ${name}`);
    const [address = null] = found ?? [];
    return found?.size === 1 ? address : null;
  };
}

/**
 * Sets the registry of a provider to that of OpenTofu if the lock file names it. A source without a host
 * belongs to the registry of the program that wrote the lock file.
 */
function useLockedRegistry(fact: LinkedFact, address: string | null): void {
  if (address !== `${openTofuRegistry}/${fact.artifact.name}`) return;
  fact.artifact = { kind: 'terraform_provider', name: address };
  fact.origin = { type: 'terraform', host: openTofuRegistry };
}

const openTofuRegistry = 'registry.opentofu.org';

interface FluxSource {
  namespace: string | null;
  url: string | null;
  isOci: boolean;
}

/**
 * Resolves references to Flux objects.
 *
 * @returns The facts of objects that releases refer to. The facts of the releases include their data.
 */
function linkFluxSources(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
): ReadonlySet<LinkedFact> {
  const sources = indexByName(
    linksOf(files, 'flux_source'),
    ([, link]) => `${link.kind} ${link.name}`,
    ([, { namespace, url, isOci }]): FluxSource => ({ namespace, url, isOci }),
  );
  const versioned = indexByName(
    facts.filter(({ extractor, place }) => extractor === 'flux' && place.kind !== 'HelmRelease'),
    ({ place }) => `${place.kind} ${place.name}`,
    (fact) => ({
      namespace: fact.place.namespace,
      url: JSON.stringify([fact.origin, fact.version]),
      fact,
    }),
  );
  const referenced = new Set<LinkedFact>();
  const isReference = ({ place }: LinkedFact) => place.field === 'spec.chartRef';
  // Process charts first, because a release can refer to a chart, which refers to a repository.
  for (const fact of [...facts].sort((a, b) => Number(isReference(a)) - Number(isReference(b)))) {
    const { origin } = fact;
    if (origin.type !== 'flux_source') continue;
    if (isReference(fact)) {
      const target = versioned(`${origin.kind} ${origin.name}`, origin.namespace);
      if (!target) Object.assign(fact, { origin: { type: 'unknown' }, reason: 'not_scanned' });
      else copyFromTarget(fact, target.chosen.fact, target.isCertain, referenced);
      continue;
    }
    const found = sources(`${origin.kind} ${origin.name}`, origin.namespace);
    const url = found?.chosen.url ?? null;
    if (!found || url === null) fact.origin = { type: 'unknown' };
    else if (isTemplated(url)) {
      Object.assign(fact, { origin: { type: 'unknown' }, reason: 'templated' });
      if (fact.template) fact.template = { ...fact.template, isSourceTemplated: true };
    } else {
      fact.origin = chartOrigin(
        fact.artifact.name,
        found.chosen.isOci ? `oci://${url.replace(/^oci:\/\//i, '')}` : url,
      );
      fact.isOriginCertain = found.isCertain;
    }
  }
  return referenced;
}

function copyFromTarget(
  fact: LinkedFact,
  target: LinkedFact,
  isCertain: boolean,
  referenced: Set<LinkedFact>,
): void {
  const { origin, version, state, digest, reason } = target;
  const isImage = target.artifact.kind === 'image';
  const name = isImage
    ? target.artifact.name.slice(target.artifact.name.lastIndexOf('/') + 1)
    : target.artifact.name;
  Object.assign(fact, { artifact: { kind: 'chart', name }, origin, version, state, digest, reason });
  fact.note = `version of ${target.place.kind} ${target.place.name}`;
  if (target.template) Object.assign(fact, { template: target.template, templateFile: target.file });
  fact.isOriginCertain = isCertain && target.isOriginCertain;
  referenced.add(target);
}

interface Candidate {
  namespace: string | null;
  url: string | null;
}

interface Named<T> {
  first: T;
  /** True if the name is unambiguous, because all objects with it are equal. */
  isUnique: boolean;
  byNamespace: Map<string | null, T>;
}

/**
 * Returns a function that finds the object with a name in a namespace. A kustomization can set namespaces
 * that no file contains. So if no object matches, the function returns the only object with the name, or one
 * of several equal objects. A repository can contain many objects with the same name, so each search is a
 * single lookup.
 */
function indexByName<E, T extends Candidate>(
  entries: Iterable<E>,
  nameOf: (entry: E) => string,
  toCandidate: (entry: E) => T,
): (name: string, namespace: string | null) => { chosen: T; isCertain: boolean } | null {
  const index = new Map<string, Named<T>>();
  for (const entry of entries) {
    const candidate = toCandidate(entry);
    const named = index.get(nameOf(entry));
    if (!named) {
      const byNamespace = new Map([[candidate.namespace, candidate]]);
      index.set(nameOf(entry), { first: candidate, isUnique: true, byNamespace });
      continue;
    }
    if (candidate.url !== named.first.url) named.isUnique = false;
    if (!named.byNamespace.has(candidate.namespace)) named.byNamespace.set(candidate.namespace, candidate);
  }
  return (name, namespace) => {
    const named = index.get(name);
    const same = named?.byNamespace.get(namespace);
    if (same) return { chosen: same, isCertain: true };
    if (!named?.isUnique) return null;
    return { chosen: named.first, isCertain: named.first.namespace === null || namespace === null };
  };
}

/**
 * Links patches of releases to the chart of the release that they patch. A patched release is marked as
 * overridden if its own version isn't deployed, either because it isn't exact, or because every overlay that
 * includes the release patches it.
 */
function linkPatches(facts: readonly LinkedFact[], files: readonly ScannedFile[]): void {
  const patches = facts.filter(({ origin }) => origin.type === 'flux_release');
  if (patches.length === 0) return;
  const isRelease = ({ extractor, place, origin }: LinkedFact) =>
    extractor === 'flux' && place.field === 'spec.chart.spec' && origin.type !== 'flux_release';
  const releases = indexByName(
    facts.filter(isRelease),
    ({ place }) => place.name ?? '',
    (fact) => ({
      namespace: fact.place.namespace,
      url: JSON.stringify([fact.artifact, fact.origin]),
      fact,
    }),
  );
  const patchesOf = new Map<LinkedFact, LinkedFact[]>();
  for (const fact of patches) {
    const { origin } = fact;
    if (origin.type !== 'flux_release') continue;
    const found = releases(origin.name, origin.namespace);
    if (!found) {
      Object.assign(fact, { origin: { type: 'unknown' }, reason: fact.reason ?? 'not_scanned' });
      continue;
    }
    const { fact: release } = found.chosen;
    Object.assign(fact, { artifact: release.artifact, origin: release.origin });
    fact.isOriginCertain = found.isCertain && release.isOriginCertain;
    push(patchesOf, release, fact);
  }
  const isPatchedEverywhere = createPatchCheck(facts, files);
  for (const [release, own] of patchesOf) {
    const isUnversioned = release.state === 'floating' || release.state === 'range';
    const isReplaced =
      release.state === 'exact' && canDeployToProduction(own) && isPatchedEverywhere(release, own);
    if (isUnversioned || isReplaced) Object.assign(release, { state: 'overridden', reason: 'overridden' });
  }
}

/** Repositories that helmfiles use without specifying a URL: only Helm's own repository. */
const wellKnownRepositories: ReadonlyMap<string, string> = new Map([
  ['stable', 'https://charts.helm.sh/stable'],
]);

function linkHelmfileRepositories(facts: readonly LinkedFact[], files: readonly ScannedFile[]): void {
  const inFile = new Map<string, LinkOf<'helmfile_repository'>>();
  // Repositories by name. Null if files define the name with different URLs.
  const anywhere = new Map<string, LinkOf<'helmfile_repository'> | null>();
  for (const [path, link] of linksOf(files, 'helmfile_repository')) {
    inFile.set(`${path} ${link.name}`, link);
    const before = anywhere.get(link.name);
    anywhere.set(link.name, before === undefined || before?.url === link.url ? link : null);
  }
  for (const fact of facts) {
    const { origin } = fact;
    if (origin.type !== 'helmfile_repository') continue;
    const own = inFile.get(`${fact.file} ${origin.name}`);
    const found = own ?? anywhere.get(origin.name) ?? undefined;
    const url = found?.url ?? wellKnownRepositories.get(origin.name) ?? null;
    fact.isOriginCertain = own !== undefined || found === undefined;
    fact.origin =
      url === null || isTemplated(url)
        ? { type: 'unknown' }
        : chartOrigin(fact.artifact.name, found?.isOci ? `oci://${url.replace(/^oci:\/\//i, '')}` : url);
  }
}
