import { type Fact, nothing } from '../fact.ts';
import { plainFact } from '../manifest.ts';
import { type HclBody, malformedHcl, readHcl, templateOf } from '../read-hcl.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { readTerraformValues, resolveReferences } from '../terraform-values.ts';
import type { TextExtractor } from './extractor.ts';
import { addServices, readModuleAddress, readRegistryModule } from './terraform.ts';

function isTerragruntName(base: string): boolean {
  return /^(?:terragrunt[^/]*|root)\.hcl$/.test(base);
}

/**
 * Modules of Terragrunt units and stacks, managed services in their inputs, and the required versions of the tools.
 * Values of included files aren't resolved.
 *
 * @see https://terragrunt.gruntwork.io/docs/reference/hcl/
 */
export const terragrunt: TextExtractor = {
  name: 'terragrunt',
  wantsFile: ({ base }) =>
    base.endsWith('.hcl') && !/^\.|\.(?:nomad|pkr|pkrvars)\.hcl$|^docker-bake/.test(base),
  isNamed: ({ base }) => isTerragruntName(base),
  extract(text, { base }) {
    const result = nothing();
    if (!/\b(?:source|terra\w+_version_constraint|\w*(?:engine|cluster|kubernetes)_version)\s*=/.test(text))
      return result;
    const body = readHcl(text);
    if (!body) {
      // Report a problem only if the name or the content is that of Terragrunt, because other tools use the same
      // suffix.
      if (isTerragruntName(base) || /^\s*(?:terraform|unit|stack)\b[^\n]*\{/m.test(text))
        result.problems.push(malformedHcl);
      return result;
    }
    const values = new Map(readTerraformValues(body));
    for (const tool of ['terragrunt', 'terraform'] as const) {
      const constraint = body.attributes.get(`${tool}_version_constraint`);
      if (constraint?.kind === 'text') result.facts.push(toolFact(tool, constraint.text, constraint.line));
    }
    for (const { type, labels, body: block } of body.blocks) {
      if (type !== 'terraform' && type !== 'unit' && type !== 'stack') continue;
      const fact = readSource(block, type, labels[0] ?? null, values);
      if (fact) result.facts.push(fact);
    }
    const inputs = body.attributes.get('inputs');
    if (inputs?.kind === 'object') {
      const terraform = body.blocks.find(({ type }) => type === 'terraform')?.body.attributes.get('source');
      const source = (terraform && templateOf(terraform))?.replace(/^tfr:\/\/(?:[^/]*)\//, '') ?? null;
      const resolve = (written: string) => resolveReferences(written, values).text;
      addServices('terragrunt', { kind: 'inputs', name: null }, source, inputs.body, '', result, { resolve });
    }
    return result;
  },
};

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
    ...plainFact,
  };
}

function readSource(
  { attributes }: HclBody,
  kind: string,
  name: string | null,
  values: ReadonlyMap<string, string>,
): Fact | null {
  const source = attributes.get('source');
  const written = source && templateOf(source);
  if (!source || written == null) return null;
  const { text } = resolveReferences(written, values);
  const place = { line: source.line, document: 0, kind, namespace: null, name, field: 'source' };
  const base = { extractor: 'terragrunt' as const, place, ...plainFact };
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
  return { ...base, artifact: { kind: 'git', name: address }, origin, ...version };
}
