import { readChart } from './chart-fact.ts';
import type { Link } from './fact.ts';
import type { LinkedFact } from './link-facts.ts';
import { readService } from './managed-services.ts';
import { readWrittenImage } from './read-image.ts';
import { baseOf, directoriesAbove, directoryOf } from './repository-path.ts';
import { isAutoLoadedTfvars, isVariablesFile, resolveReferences } from './terraform-values.ts';

type Values = Extract<Link, { type: 'terraform_values' }>;

/**
 * Replaces references to variables and local values with their literal values. Terraform loads all files of a
 * directory together; values in `terraform.tfvars` and `.auto.tfvars` files override defaults.
 *
 * @returns The values to drop: those that the fact of a resource refers to, because they would be duplicates.
 */
export function linkTerraformValues(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: Values]>,
): ReadonlySet<LinkedFact> {
  const byDirectory = new Map<string, Map<string, string>>();
  /** Values that a `.tfvars` file sets, as directory and name. */
  const set = new Set<string>();
  /** Values that a fact refers to, as directory and name. */
  const referenced = new Set<string>();
  const ordered = [...links].sort(([a], [b]) => Number(isVariablesFile(a)) - Number(isVariablesFile(b)));
  for (const [path, { values }] of ordered) {
    const known = byDirectory.get(directoryOf(path)) ?? new Map<string, string>();
    byDirectory.set(directoryOf(path), known);
    for (const [name, value] of values) {
      known.set(name, value);
      if (isVariablesFile(path)) set.add(`${directoryOf(path)}\0${name}`);
    }
  }
  for (const fact of facts) {
    const { service, release } = fact;
    const expression =
      service?.version ??
      (release &&
        [release.version, release.chart, release.repository].find((text) => text?.includes('${'))) ??
      fact.expression;
    const directory = directoryOf(fact.file);
    const values = expression === undefined ? undefined : byDirectory.get(directory);
    if (expression === undefined || !values) continue;
    const { text, used } = resolveReferences(expression, values);
    if (service !== undefined) {
      const engine = service.engine === null ? null : resolveReferences(service.engine, values);
      for (const name of engine?.used ?? []) used.add(name);
      if (used.size === 0) continue;
      const { isOriginGuessed, ...read } = readService({
        ...service,
        engine: engine?.text ?? null,
        version: text,
      });
      Object.assign(fact, read);
      if (isOriginGuessed) fact.isOriginCertain = false;
    } else if (release !== undefined) {
      const resolved = (written: string | null) => {
        if (written === null) return null;
        const part = resolveReferences(written, values);
        for (const name of part.used) used.add(name);
        return part.text;
      };
      const read = readChart(
        resolved(release.chart)!,
        resolved(release.repository),
        resolved(release.version),
      );
      if (used.size === 0) continue;
      Object.assign(fact, read);
    } else if (used.size === 0) continue;
    else {
      const image = readWrittenImage(text);
      if (image) Object.assign(fact, image, { isOriginCertain: image.isOriginGuessed !== true });
    }
    for (const name of used) referenced.add(`${directory}\0${name}`);
    // Mark a default as such in the note, because a caller of the module or a command can set another value.
    const byDefault = [...used].find((name) => name.startsWith('var.') && !set.has(`${directory}\0${name}`));
    const isWhole = service === undefined || byDefault === undefined;
    const named = isWhole && expression.includes('${') ? expression : `\${${byDefault ?? [...used][0]}}`;
    fact.note = `${byDefault === undefined ? '' : 'default '}value of ${named.slice(0, 100)}`;
  }
  return new Set(
    facts.filter((fact) => {
      const name = valueNameOf(fact);
      return name !== null && referenced.has(`${directoryOf(fact.file)}\0${name}`);
    }),
  );
}

/** Values that a command can pass to Terraform, by the file. */
type PassedValues = readonly (readonly [path: string, link: Extract<Link, { type: 'passed_values' }>])[];

/**
 * Returns the managed services and charts in `.tfvars` files that commands pass to Terraform. These files don't show
 * which module gets a value, so a value is used only if all facts that contain its variable have the same
 * artifact. Even then, the item isn't certain. The nearest directory above the file whose facts contain the variable
 * is used, and otherwise all of them.
 *
 * @returns `replaced` are the facts on the same lines that only the names of the variables identify.
 */
export function collectPassedVersions(
  facts: readonly LinkedFact[],
  passed: Iterable<PassedValues[number]>,
  links: Iterable<readonly [path: string, link: Values]>,
): { added: LinkedFact[]; replaced: ReadonlySet<LinkedFact> } {
  const own = new Map<string, Set<string>>();
  /** Directories whose variables Terraform reads. */
  const modules = new Set<string>();
  for (const [path, { values }] of links) {
    const directory = directoryOf(path);
    if (!isVariablesFile(path)) modules.add(directory);
    const names = own.get(directory) ?? new Set<string>();
    own.set(directory, names);
    for (const [name] of values) names.add(name);
  }
  for (const { extractor, file } of facts)
    if (extractor === 'terraform' && !isVariablesFile(file)) modules.add(directoryOf(file));
  // Terraform loads a file with such a name only in the directory of a module.
  const files = [...passed].filter(
    ([path]) => !isAutoLoadedTfvars(baseOf(path)) || !modules.has(directoryOf(path)),
  );
  if (files.length === 0) return { added: [], replaced: new Set() };
  const byVariable = indexByVariable(facts, (directory, name) => own.get(directory)?.has(name) === true);
  const added = files.flatMap(([file, { values }]) =>
    values.flatMap(([name, value, line]) => {
      const uses = byVariable.get(name);
      const directory = uses && directoriesAbove(file).find((each) => uses.has(each));
      const fact = directory === undefined ? uses && onlyArtifact(uses) : uses!.get(directory);
      const read = fact && withPassedValue(fact, name, value);
      if (!read) return [];
      const place = { line, document: 0, kind: 'tfvars', namespace: null, name: null, field: name };
      const note = `value of var.${name.slice(0, 100)} in ${fact.file.slice(-100)}`;
      return [{ ...read, file, place, note, isOriginCertain: false }];
    }),
  );
  const lines = new Set(added.map(({ file, place }) => `${file}\0${place.line}`));
  return {
    added,
    replaced: new Set(
      facts.filter(
        ({ file, place, extractor }) =>
          extractor === 'terraform' && place.kind === 'tfvars' && lines.has(`${file}\0${place.line}`),
      ),
    ),
  };
}

/** Facts whose version contains a variable, by the directory. Null if they have different artifacts. */
type Uses = Map<string, LinkedFact | null>;

/**
 * Returns the facts of managed services and charts by the variable with their version.
 *
 * @param hasValue True for a value that Terraform reads in a directory. A chart with one already has a version.
 */
function indexByVariable(
  facts: readonly LinkedFact[],
  hasValue: (directory: string, name: string) => boolean,
): ReadonlyMap<string, Uses> {
  const byVariable = new Map<string, Uses>();
  for (const fact of facts) {
    const written = fact.service?.version ?? fact.release?.version ?? fact.expression;
    const name = written == null ? undefined : onlyVariable.exec(written)?.[1];
    if (name === undefined) continue;
    const directory = directoryOf(fact.file);
    if (fact.release !== undefined && hasValue(directory, `var.${name}`)) continue;
    const uses = byVariable.get(name) ?? new Map<string, LinkedFact | null>();
    byVariable.set(name, uses);
    const before = uses.get(directory);
    const isSame = before === undefined || before?.artifact.name === fact.artifact.name;
    uses.set(directory, isSame ? fact : null);
  }
  return byVariable;
}

function onlyArtifact(uses: Uses): LinkedFact | null {
  const [first = null, ...others] = uses.values();
  return others.every((other) => other !== null && other.artifact.name === first?.artifact.name)
    ? first
    : null;
}

/** Matches a text whose only reference is to a variable, or to a value in one. */
const onlyVariable = /^[^$]*\$\{\s*var\.([\w-]+(?:\.[\w-]+)*)\s*\}[^$]*$/;

function withPassedValue(fact: LinkedFact, name: string, value: string): LinkedFact | null {
  const { service, release, ...rest } = fact;
  const resolve = (text: string) => resolveReferences(text, new Map([[`var.${name}`, value]])).text;
  if (service !== undefined) {
    // The services in objects of variables are read without a resource.
    if (name.includes('.')) return null;
    const { isOriginGuessed: _, ...read } = readService({ ...service, version: resolve(service.version) });
    return { ...rest, ...read };
  }
  if (release?.version == null) return null;
  const { isOriginGuessed: _, ...read } = readChart(
    release.chart,
    release.repository,
    resolve(release.version),
  );
  return read.state === 'templated' ? null : { ...rest, ...read };
}

/** Returns the name under which expressions refer to the value of a fact, or null if it isn't a value. */
function valueNameOf({ extractor, file, place: { kind, name, field } }: LinkedFact): string | null {
  if (extractor !== 'terraform') return null;
  switch (kind) {
    case 'locals':
      return `local.${field}`;
    case 'tfvars':
      // References never resolve to values of a file that Terraform loads only if a command specifies it.
      return isAutoLoadedTfvars(baseOf(file)) ? `var.${field}` : null;
    case 'variable':
      return field === 'default' ? `var.${name}` : `var.${name}.${field.replace(/^default\./, '')}`;
    default:
      return null;
  }
}
