import { readChart } from '../chart-fact.ts';
import { readDownload, softwareFact } from '../download-address.ts';
import { type Extracted, emptyExtraction, type Fact } from '../fact.ts';
import { factDefaults } from '../manifest.ts';
import { type HclBody, malformedHcl, readHcl, templateOf } from '../read-hcl.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { readTerraformValues, resolveReferences } from '../terraform-values.ts';
import type { TextExtractor } from './extractor.ts';
import {
  addNamedValues,
  addServices,
  commentedVersion,
  readModuleAddress,
  readRegistryModule,
  terraform,
} from './terraform.ts';

function isTerragruntName(base: string): boolean {
  return /^(?:terragrunt[^/]*|root)\.hcl$/.test(base) || isRenamedConfiguration(base);
}

/**
 * True for a configuration that a pipeline renames for each cloud or environment, such as
 * `terragrunt.hcl.aws`.
 */
function isRenamedConfiguration(base: string): boolean {
  const suffix = /^terragrunt\.hcl[._-]([\w-]+)$/.exec(base)?.[1];
  return (
    suffix !== undefined &&
    !/^(?:bak|backup|old|orig|save|disabled|example|sample|tmpl|template|md|j2)$/i.test(suffix)
  );
}

/**
 * Modules of Terragrunt units and stacks, managed services in their inputs, and the required versions of the
 * tools. Values of included files aren't resolved.
 *
 * @see https://terragrunt.gruntwork.io/docs/reference/hcl/
 */
export const terragrunt: TextExtractor = {
  name: 'terragrunt',
  wantsFile: ({ base }) =>
    isRenamedConfiguration(base) ||
    (base.endsWith('.hcl') && !/^\.|\.(?:nomad|pkr|pkrvars)\.hcl$|^docker-bake/.test(base)),
  isNamed: ({ base }) => isTerragruntName(base),
  extract(text, { base }) {
    const result = emptyExtraction();
    if (!/\b(?:source|\w*version|terra\w+_version_constraint)\s*=/.test(text)) return result;
    const body = readHcl(text);
    if (!body) {
      // Report a problem only if the name or the content is specific to Terragrunt, because other tools use
      // the same suffix.
      if (isTerragruntName(base) || /^[ \t]*(?:terraform|unit|stack)\b.*\{/m.test(text))
        result.problems.push(malformedHcl);
      return result;
    }
    const values = new Map(readTerraformValues(body));
    for (const tool of ['terragrunt', 'terraform'] as const) {
      const constraint = body.attributes.get(`${tool}_version_constraint`);
      if (constraint?.kind === 'text') result.facts.push(toolFact(tool, constraint.text, constraint.line));
    }
    for (const { type, labels, body: block } of body.blocks) {
      if (type === 'generate') addGenerated(block, labels[0] ?? null, result);
      if (type !== 'terraform' && type !== 'unit' && type !== 'stack') continue;
      const fact = readSource(block, type, labels[0] ?? null, values);
      if (fact) result.facts.push(fact);
      const given = block.attributes.get('values');
      if (given?.kind === 'object') {
        const source = block.attributes.get('source');
        const names = { kind: type, name: labels[0] ?? null };
        addModuleValues(names, (source && templateOf(source)) ?? null, given.body, values, result);
      }
    }
    const inputs = body.attributes.get('inputs');
    if (inputs?.kind === 'object') {
      const terraform = body.blocks.find(({ type }) => type === 'terraform')?.body.attributes.get('source');
      const source = (terraform && templateOf(terraform))?.replace(/^tfr:\/\/(?:[^/]*)\//, '') ?? null;
      addModuleValues({ kind: 'inputs', name: null }, source, inputs.body, values, result);
    }
    return result;
  },
};

/**
 * Adds the managed services, charts, downloads, images, and named versions in the values that a module gets.
 */
function addModuleValues(
  names: Pick<Fact['place'], 'kind' | 'name'>,
  source: string | null,
  body: HclBody,
  values: ReadonlyMap<string, string>,
  result: Extracted,
): void {
  const resolve = (written: string) => resolveReferences(written, values).text;
  addServices('terragrunt', names, source, body, '', result, { resolve });
  for (const { line, field, ...read } of readChartsInValues(body, resolve)) {
    const place = { line, document: 0, namespace: null, ...names, field };
    result.facts.push({ extractor: 'terragrunt', place, ...read });
  }
  for (const [field, value] of body.attributes) {
    const download = value.kind === 'text' ? readDownload(resolve(value.text)) : null;
    if (!download?.version || isTemplated(download.version)) continue;
    if (download.isOnlyForVersions && !/\d/.test(download.version)) continue;
    result.facts.push({
      extractor: 'terragrunt',
      place: { line: value.line, document: 0, namespace: null, ...names, field },
      ...softwareFact(download, download.version, 'ref'),
      note: null,
    });
  }
  addNamedValues('terragrunt', names, body, '', result);
}

type GivenChart = Omit<Fact, 'extractor' | 'place'> & { line: number; field: string };

/**
 * Yields the charts that a module gets as values: the repository, the name, and the version. An object can
 * contain the name and the version, or all of them.
 */
function* readChartsInValues(body: HclBody, resolve: (written: string) => string): Generator<GivenChart> {
  const chart = readGivenChart([body.attributes], resolve, '');
  if (chart) yield chart;
  for (const [name, value] of body.attributes) {
    if (value.kind !== 'object') continue;
    const inner = readGivenChart([value.body.attributes, body.attributes], resolve, `${name}.`);
    if (inner) yield inner;
  }
}

/**
 * Reads a chart from the values of an object.
 *
 * @param scopes The values of an object, and those around it, which can contain the repository.
 */
function readGivenChart(
  [own, ...outer]: readonly HclBody['attributes'][],
  resolve: (written: string) => string,
  prefix: string,
): GivenChart | null {
  const find = (pattern: RegExp, scopes: readonly HclBody['attributes'][]) => {
    for (const scope of scopes)
      for (const [field, value] of scope)
        if (value.kind === 'text' && pattern.test(field))
          return { field, line: value.line, text: resolve(value.text) };
    return null;
  };
  const isNested = outer.length > 0;
  const version = find(isNested ? /^(?:chart_)?version$/ : /(?:^|_)chart_version$/, [own!]);
  const chart = find(/(?:^|_)chart(?:_name)?$/, [own!]);
  const repository = find(/(?:^|_)(?:chart|helm)_repo(?:sitory)?(?:_url)?$|^repository$/, [own!, ...outer]);
  if (!version || !chart || !repository || !/^(?:https?|oci):\/\//.test(repository.text)) return null;
  return {
    line: version.line,
    field: `${prefix}${version.field}`,
    ...readChart(chart.text, repository.text, version.text),
    isOriginGuessed: true,
    ...factDefaults,
    note: `chart by the names of the values ${chart.field} and ${repository.field}`.slice(0, 300),
  };
}

/** Adds the versions of a Terraform file that a unit generates. Its text is literal except for templates. */
function addGenerated({ attributes }: HclBody, name: string | null, result: Extracted): void {
  const contents = attributes.get('contents');
  if (contents?.kind !== 'other' || contents.heredoc === undefined) return;
  const generated = terraform.extract(contents.heredoc, { path: 'generated.tf', base: 'generated.tf' });
  for (const fact of generated.facts) {
    const { expression: _, ...rest } = fact;
    const field = `generate[${name ?? ''}] ${fact.place.field}`;
    const place = { ...fact.place, line: contents.line + fact.place.line, field };
    result.facts.push({ ...rest, extractor: 'terragrunt', place });
  }
}

function toolFact(tool: string, constraint: string, line: number): Fact {
  return {
    extractor: 'terragrunt',
    place: {
      line,
      document: 0,
      kind: 'terragrunt',
      namespace: null,
      name: null,
      field: `${tool}_version_constraint`,
    },
    artifact: { kind: 'tool', name: tool },
    origin: { type: 'tool' },
    ...readVersion(constraint, 'terraform'),
    ...factDefaults,
  };
}

/**
 * Matches the address of a published module in a conditional expression. Its version can contain templates.
 */
const publishedChoice =
  /"((?:git::|tfr:\/\/|https?:\/\/|github\.com\/)[^"$?]*\?(?:[^"$]|\$(?!\{)|\$\{[^}]*\})*)"/;

/** Maximum length of a conditional expression. Real ones have two addresses. */
const maxChoiceLength = 2_000;

function readSource(
  { attributes }: HclBody,
  kind: string,
  name: string | null,
  values: ReadonlyMap<string, string>,
): Fact | null {
  const source = attributes.get('source');
  const written = source && templateOf(source);
  if (!source || written == null) return null;
  const resolved = resolveReferences(written, values).text;
  // A condition often selects a published module or a local directory. Only the published one has a version.
  const isChoice = resolved.startsWith('${') && resolved.length <= maxChoiceLength;
  const chosen = isChoice ? publishedChoice.exec(resolved)?.[1] : undefined;
  const text = chosen ?? resolved;
  const place = { line: source.line, document: 0, kind, namespace: null, name, field: 'source' };
  const note = chosen === undefined ? null : 'one of the choices of a condition';
  const base = { extractor: 'terragrunt' as const, place, digest: null, note };
  const registry = /^tfr:\/\/([^/]*)\/([^?]+)\?version=(.+)$/.exec(text);
  if (registry) {
    const [, host, path, version] = registry;
    const segments = readRegistryModule(path!);
    if (!segments) return null;
    const artifact = {
      kind: 'terraform_module' as const,
      name: [...(host ? [host] : []), ...segments].join('/'),
    };
    const origin = { type: 'terraform' as const, host: host || 'registry.terraform.io' };
    return { ...base, artifact, origin, ...readVersion(version!, 'terraform') };
  }
  const { origin, ref } = readModuleAddress(text);
  const version = readVersion(ref, 'ref');
  const address = 'url' in origin ? origin.url : text;
  if (isTemplated(address)) {
    // The address comes from another file, so the version can't be compared and is reported as templated.
    if (ref === null) return null;
    const artifact = { kind: 'git' as const, name: text.slice(0, text.indexOf('?')) };
    return {
      ...base,
      artifact,
      origin: { type: 'unknown' },
      ...version,
      state: 'templated',
      reason: 'templated',
    };
  }
  return {
    ...base,
    artifact: { kind: 'git', name: address },
    origin,
    ...version,
    ...commentedVersion(version, source),
  };
}
