import { readDownload, softwareFact } from '../download-address.ts';
import { type Extracted, emptyExtraction } from '../fact.ts';
import { type HclBody, malformedHcl, readHcl, templateOf } from '../read-hcl.ts';
import { readWrittenImage } from '../read-image.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { readTerraformValues, resolveReferences } from '../terraform-values.ts';
import type { TextExtractor } from './extractor.ts';
import { addNamedValues, textOf } from './terraform.ts';

/**
 * Images and downloads of Nomad jobs. Variables without a default, parameters of `templatefile`, and
 * templates of Nomad Pack aren't resolved.
 *
 * @see https://developer.hashicorp.com/nomad/docs/job-specification
 */
export const nomad: TextExtractor = {
  name: 'nomad',
  wantsFile: ({ base }) => /\.(?:nomad|nomad\.hcl|hcl|nomad\.j2|tpl)$/.test(base) && !isOther(base),
  isNamed: ({ base }) => /\.nomad(?:\.|$)/.test(base),
  extract(text, { base }) {
    const result = emptyExtraction();
    if (/\[\[-? *(?:var|\$|\.|template|if|range)\b/.test(text)) return readPackTemplate(text);
    if (base === 'variables.hcl') return readPackVariables(text);
    if (!/^[ \t]*job\s+"?[^\s"{]+"?\s*\{/m.test(text)) return result;
    const body = readHcl(text);
    if (!body) {
      result.problems.push(malformedHcl);
      return result;
    }
    const values = new Map(readTerraformValues(body));
    for (const { type, labels, body: job } of body.blocks)
      if (type === 'job') readTasks(job, labels[0] ?? null, '', values, result);
    return result;
  },
};

/** Reads the images in the defaults of variables, which the templates of a pack in the same directory use. */
function readPackVariables(text: string): Extracted {
  const result = emptyExtraction();
  for (const { type, labels, body } of readHcl(text)?.blocks ?? []) {
    const [name] = labels;
    const value = body.attributes.get('default');
    if (type !== 'variable' || name === undefined || value === undefined) continue;
    const attributes = new Map([[name, value]]);
    addNamedValues('nomad', { kind: 'variable', name }, { attributes, blocks: [] }, '', result);
  }
  return result;
}

/**
 * Matches the line that sets the image of a task in a template. The image can contain quotes, because
 * template expressions such as `[[ var "version" . ]]` do.
 */
const packImage = /^[ \t]*image[ \t]*=[ \t]*"(.{1,500})"[ \t]*$/;

/**
 * Reads the images in a template of Nomad Pack. A version that comes from a variable of the pack is reported
 * as templated, because each run of the pack can set another version.
 *
 * @see https://developer.hashicorp.com/nomad/tools/nomad-pack/advanced-usage
 */
function readPackTemplate(text: string): Extracted {
  const result = emptyExtraction();
  for (const [at, line] of text.split('\n').entries()) {
    if (result.facts.length >= maxFactsPerFile) break;
    const written = packImage.exec(line.slice(0, 1_000))?.[1];
    const image = written?.replaceAll(/\[\[-? *(?:var *)?"?([\w.$]{1,100})"?[^\]"]{0,100}\]\]/g, '${$1}');
    if (image === undefined || !/[\w-][/:]/.test(image.replaceAll(/\$\{[^{}$]*\}/g, ''))) continue;
    const read = readWrittenImage(image);
    if (!read) continue;
    const field = `image ${read.artifact.name}`;
    const place = { line: at + 1, document: 0, kind: 'job', namespace: null, name: null, field };
    result.facts.push({ extractor: 'nomad', place, ...read });
  }
  return result;
}

/** True for HCL files of other tools. */
function isOther(base: string): boolean {
  return /^(?:terragrunt[^/]*|\.terraform\.lock|docker-bake[^/]*|\.tflint|atlantis)\.hcl$|\.pkr\.hcl$/.test(
    base,
  );
}

function readTasks(
  body: HclBody,
  job: string | null,
  path: string,
  values: ReadonlyMap<string, string>,
  result: Extracted,
): void {
  for (const { type, labels, body: inner } of body.blocks) {
    if (type === 'group' || type === 'task') {
      readTasks(inner, job, `${path}${type}[${labels[0] ?? ''}].`, values, result);
      continue;
    }
    const field = type === 'config' ? 'image' : type === 'artifact' ? 'source' : null;
    const value = field === null ? undefined : inner.attributes.get(field);
    if (value === undefined) continue;
    const written = templateOf(value) ?? '';
    const { text, used } = resolveReferences(written, values);
    const isDefault = [...used].some((name) => name.startsWith('var.'));
    const note = used.size === 0 ? null : `${isDefault ? 'default ' : ''}value of ${written.slice(0, 100)}`;
    const place = {
      line: value.line,
      document: 0,
      kind: 'job',
      namespace: textOf(body, 'namespace'),
      name: job,
    };
    if (field === 'image') {
      const image = readWrittenImage(text);
      if (image)
        result.facts.push({
          extractor: 'nomad',
          place: { ...place, field: `${path}image` },
          ...image,
          note: image.note ?? note,
        });
      continue;
    }
    const download = readDownload(text);
    if (!download || (download.isOnlyForVersions && !/\d/.test(download.version ?? ''))) continue;
    const software = download.repository ?? download.tool ?? '';
    result.facts.push({
      extractor: 'nomad',
      place: { ...place, field: `${path}artifact ${software}` },
      ...softwareFact(download, download.version, 'ref'),
      note,
    });
  }
}
