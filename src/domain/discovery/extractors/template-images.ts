import { type Extracted, emptyExtraction, type Fact, type FileProblem } from '../fact.ts';
import { looksLikeImage, readImage, splitImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';

/**
 * Returns the images of manifests that are templates of Helm, Jinja, or Terraform. Reads only images whose
 * name is literal, because others are known only after rendering. Skipped images are reported as a problem.
 *
 * @param renderer Program that renders the file, such as `Jinja`.
 */
export function readTemplateImages(text: string, renderer: string): Extracted {
  const facts: Fact[] = [];
  /** Number of times that each image occurs in the file. */
  const counts = new Map<string, number>();
  let templated = 0;
  let firstTemplated = 1;
  let names: PlaceNames = { kind: null, name: null };
  const serviceOf = createServiceReader();
  for (const [at, line] of text.split('\n').entries()) {
    if (facts.length >= maxFactsPerFile) break;
    const written = line.slice(0, 1_000);
    if (written.startsWith('---')) names = { kind: null, name: null };
    names = serviceOf(written) ?? names;
    const kind = /^kind:\s*["']?(\w+)["']?\s*$/.exec(written)?.[1];
    if (kind !== undefined) names = { ...names, kind };
    const [, key = '', rest = ''] = /^(?:-\s+)?["']?(\w+)["']?:\s(.+)$/.exec(written.trim()) ?? [];
    const comment = rest.search(/\s#/);
    const value = (comment < 0 ? rest : rest.slice(0, comment)).trim();
    if (value === '' || !/image$/i.test(key)) continue;
    const image = value.replace(/^(["'])(.*)\1$/, '$2');
    const parts = looksLikeImage(image) && !value.includes('{%') ? splitImage(image) : null;
    // Only the version may come from the template. The name must be literal, because nothing else shows which
    // image it is.
    const isVersionTemplated = parts !== null && !isTemplated(parts.name) && isTemplated(parts.tag ?? '');
    if ((isTemplated(value) && !isVersionTemplated) || value.includes('{%')) {
      if (templated++ === 0) firstTemplated = at + 1;
      continue;
    }
    if (!parts || !/[/:@]/.test(image)) continue;
    const count = (counts.get(parts.name) ?? 0) + 1;
    counts.set(parts.name, count);
    const field = `image ${parts.name}${count === 1 ? '' : ` ${count}`}`;
    facts.push({
      extractor: 'kubernetes',
      place: { line: at + 1, document: 0, ...names, namespace: null, field },
      ...readImage(parts),
      note: `${isVersionTemplated ? 'its version comes from' : 'literal in'} a template of ${renderer}`,
      // Keep the expression, because other files of an Ansible role set the variables of its templates.
      ...(isVersionTemplated && renderer === 'Jinja' && { expression: image }),
    });
  }
  const message =
    facts.length === 0
      ? `A template of ${renderer}.`
      : `${templated} images come from a template of ${renderer}.`;
  const isIncomplete = templated > 0 || (facts.length === 0 && namesOtherVersions.test(text));
  const problem: FileProblem = { line: firstTemplated, reason: 'templated', message };
  const problems: FileProblem[] = isIncomplete
    ? [{ ...problem, ...(facts.length > 0 ? { isRestRead: true } : { isFileRead: true }) }]
    : [];
  return { ...emptyExtraction(), facts, problems };
}

interface PlaceNames {
  kind: string | null;
  name: string | null;
}

/**
 * Returns a function that reads the lines of a file in turn. It returns the Compose service that begins on a
 * line, no service at the end of `services`, and null for all other lines.
 */
function createServiceReader(): (line: string) => PlaceNames | null {
  let isInServices = false;
  let indentation: string | null = null;
  return (line) => {
    if (/^[\w"'-]/.test(line)) {
      const wasInServices = isInServices;
      isInServices = /^services:\s*(?:#|$)/.test(line);
      indentation = null;
      return wasInServices || isInServices ? { kind: null, name: null } : null;
    }
    const [, indent, name] = isInServices
      ? (/^([ ]+)["']?([^\s"':#-][^"':#]*)["']?:\s*(?:#|$)/.exec(line) ?? [])
      : [];
    if (indent === undefined || name === undefined) return null;
    indentation ??= indent;
    if (indent !== indentation) return null;
    return isTemplated(name) ? { kind: null, name: null } : { kind: 'service', name };
  };
}

/** Matches a block with an image or a chart, and objects that reference a chart or a repository. */
const namesOtherVersions =
  /^[ \t]*(?:- )?(?:["']?(?:\w*image|chart)["']?:[ \t]*$|kind:[ \t]*["']?(?:Application|ApplicationSet|HelmRelease|HelmChart)\b)|\brepoURL["']?:|image["']?:[ \t]*["']?\{\{/im;
