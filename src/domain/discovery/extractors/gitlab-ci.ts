import type { DocumentTree } from '../../parsers/document-tree.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { locateNode } from '../manifest.ts';
import { namesKnownSoftware, readNamedVersion } from '../named-versions.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import { looksLikeImage, readImage, readWrittenImage, splitImage } from '../read-image.ts';
import { isTemplated, readVersion } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { substituteVariables } from '../substitute-variables.ts';
import { withCommentedVersion } from '../version-comment.ts';
import { isYamlBelow, type YamlExtractor } from './extractor.ts';

/**
 * Images, services, and included projects and components of GitLab pipelines. Files that a pipeline includes
 * can have any name, so they're recognized by their jobs.
 *
 * @see https://docs.gitlab.com/ci/yaml/
 */
export const gitlabCi: YamlExtractor = {
  name: 'gitlab_ci',
  wants: (text, file) =>
    (isWithInputs(text) || /image:|services:|include:|IMAGE:/.test(text)) &&
    (isWithInputs(text) ||
      (/gitlab-ci/i.test(file.base) && /\.ya?ml$/i.test(file.base)) ||
      isYamlBelow(/(?:^|\/)\.gitlab(?:-ci)?\//, file) ||
      (/^[ ]+script:/m.test(text) && /^[ ]+stage:/m.test(text)) ||
      hasJobs(text) ||
      // Hidden jobs, which other jobs extend.
      (/^\.[\w-]+:[ \t]*(?:&\w+)?$/m.test(text) &&
        /^[ ]+(?:extends|script|before_script|stage|rules|entrypoint):/m.test(text))),
  extract(document) {
    const { tree } = document;
    const result = emptyExtraction();
    if (tree.kind !== 'map') return result;
    const variables = variablesOf(tree);
    const referenced = referencedIn(document.text);
    readJob(document, 'default', tree, () => undefined, variables, result.facts);
    addImageVariables(document, null, tree, referenced, result.facts);
    for (const [name, job] of tree.entries()) {
      if (job.kind !== 'map' || name === 'variables' || name === 'include' || name === 'spec') continue;
      if (result.facts.length >= maxFactsPerFile) break;
      const own = variablesOf(job);
      readJob(document, name, job, own, variables, result.facts);
      addImageVariables(document, name, job, referenced, result.facts);
    }
    for (const entry of entriesOf(treeAt(tree, 'include'))) {
      const fact = readInclude(document, entry);
      if (fact) result.facts.push(fact);
      addInputs(document, treeAt(entry, 'inputs'), 'include', result.facts);
    }
    for (const [name, job] of tree.entries())
      if (name !== 'spec')
        addInputs(document, treeAt(job, 'trigger', 'include', 'inputs'), name, result.facts);
    addInputs(document, treeAt(tree, 'spec', 'inputs'), 'spec', result.facts);
    return result;
  },
};

/** True for the header of a file with inputs. Objects of Kubernetes also have an `apiVersion`. */
function isWithInputs(text: string): boolean {
  return /^spec:[ \t]*\n[ ]+inputs:[ \t]*$/m.test(text) && !/^apiVersion:/m.test(text);
}

/**
 * True for a text whose top level has jobs with an image and a script, without a stage. Pipelines of other
 * systems have their scripts in lists or below other keys.
 */
function hasJobs(text: string): boolean {
  if (/^(?:apiVersion|kind|on|jobs|pipelines|services|language|matrix|steps|pipeline):/m.test(text))
    return false;
  if (/^image:/m.test(text) && /^(?:before_script|stages|default):/m.test(text)) return true;
  let [hasImage, hasScript] = [false, false];
  for (const line of text.split('\n')) {
    if (/^[\w.-]/.test(line)) [hasImage, hasScript] = [false, false];
    hasImage ||= /^ {2,4}image:/.test(line);
    hasScript ||= /^ {2,4}script:/.test(line);
    if (hasImage && hasScript) return true;
  }
  return false;
}

type Variables = (name: string) => string | undefined;

function variablesOf(tree: DocumentTree): Variables {
  const variables = treeAt(tree, 'variables');
  return (name) =>
    isSecretName(name)
      ? undefined
      : (textAt(variables, name) ?? textAt(variables, name, 'value') ?? undefined);
}

/** Returns the entries of a list, or a single value as a list of one. */
export function entriesOf(node: DocumentTree | undefined): DocumentTree[] {
  if (node === undefined || node.kind === 'null') return [];
  return node.kind === 'list' ? [...listAt(node)] : [node];
}

function readJob(
  document: ReadDocument,
  name: string,
  job: DocumentTree,
  own: Variables,
  global: Variables,
  facts: Fact[],
): void {
  const add = (node: DocumentTree | undefined, field: string) => {
    const written = node?.kind === 'map' ? treeAt(node, 'name') : node;
    if (written?.kind !== 'scalar') return;
    // The value of an input is known only in the pipeline that includes the file.
    const inputs = written.text.replaceAll(/\$\[\[ {0,5}(inputs\.[\w-]{1,100})[^[\]]{0,200}\]\]/g, '${$1}');
    const { text } = substituteVariables(inputs, (key) => own(key) ?? global(key));
    const image = readWrittenImage(text);
    if (!image) return;
    const names = { kind: 'job', namespace: null, name };
    const place = locateNode(document, written, names, field || `services ${image.artifact.name}`);
    const read = withCommentedVersion(image, document, written);
    const note = text === written.text ? read.note : `value of ${written.text.slice(0, 100)}`;
    // Another file of the pipeline can set the variable, or set it to another value.
    const expression = isTemplated(inputs) ? substituteVariables(inputs, own).text.slice(0, 1_000) : '';
    facts.push({
      extractor: 'gitlab_ci',
      place,
      ...read,
      note,
      ...(isTemplated(expression) && { expression }),
    });
  };
  add(treeAt(job, 'image'), 'image');
  for (const service of entriesOf(treeAt(job, 'services'))) add(service, '');
}

/** Adds images in variables that nothing in the file refers to, because other files can use them. */
function addImageVariables(
  document: ReadDocument,
  job: string | null,
  tree: DocumentTree,
  referenced: ReadonlySet<string>,
  facts: Fact[],
): void {
  const variables = treeAt(tree, 'variables');
  if (variables?.kind !== 'map') return;
  for (const [name, written] of variables.entries()) {
    if (facts.length >= maxFactsPerFile) return;
    const value = written.kind === 'map' ? treeAt(written, 'value') : written;
    if (value?.kind !== 'scalar' || !/(?:^|_)IMAGE$/i.test(name) || referenced.has(name)) continue;
    const parts = looksLikeImage(value.text) ? splitImage(value.text) : null;
    const hasVersion = parts !== null && (parts.tag !== null || parts.digest !== null);
    if (!hasVersion || !parts.name.includes('/') || isTemplated(value.text) || isSecretName(name)) continue;
    const names = { kind: 'job', namespace: null, name: job };
    const place = locateNode(document, value, names, `variables.${name}`);
    facts.push({ extractor: 'gitlab_ci', place, ...withCommentedVersion(readImage(parts), document, value) });
  }
}

/** Maximum number of inputs that are read in one place. Real files have up to about 30. */
const maxInputs = 500;

/**
 * Adds the images and the versions of known software in the inputs of an included file, or in the defaults of the inputs
 * that a file declares.
 *
 * @see https://docs.gitlab.com/ci/inputs/
 */
function addInputs(
  document: ReadDocument,
  inputs: DocumentTree | undefined,
  owner: string,
  facts: Fact[],
): void {
  if (inputs?.kind !== 'map') return;
  let left = maxInputs;
  for (const [name, written] of inputs.entries()) {
    if (left-- <= 0 || facts.length >= maxFactsPerFile) return;
    const value = written.kind === 'map' ? treeAt(written, 'default') : written;
    if (value?.kind !== 'scalar' || isSecretName(name) || isTemplated(value.text)) continue;
    const place = locateNode(document, value, null, `${owner} inputs.${name}`.slice(0, 300));
    const parts =
      /(?:^|[-_])image$/i.test(name) && looksLikeImage(value.text) ? splitImage(value.text) : null;
    if (parts && (parts.tag !== null || parts.digest !== null)) {
      facts.push({
        extractor: 'gitlab_ci',
        place,
        ...withCommentedVersion(readImage(parts), document, value),
      });
      continue;
    }
    const variable = name.replaceAll('-', '_');
    if (!namesKnownSoftware(variable, value.text)) continue;
    const found = readNamedVersion(variable, value.text);
    if (found) facts.push({ extractor: 'gitlab_ci', place, ...found });
  }
}

/** Returns the names of the variables that a file refers to. */
function referencedIn(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/\$\{?([A-Za-z_]\w*)/g), ([, name]) => name!));
}

function readInclude(document: ReadDocument, entry: DocumentTree): Fact | null {
  const component = textAt(entry, 'component');
  if (component !== null) return readComponent(document, entry, component);
  const project = textAt(entry, 'project');
  if (project === null) return null;
  const ref = treeAt(entry, 'ref');
  const path = project.replace(/^\/+/, '');
  return {
    extractor: 'gitlab_ci',
    place: locateNode(document, ref ?? entry, null, `include ${path}`),
    artifact: { kind: 'git', name: `gitlab.com/${path}` },
    origin: isTemplated(path) ? { type: 'unknown' } : { type: 'git', url: `https://gitlab.com/${path}` },
    isOriginGuessed: true,
    ...readVersion(ref?.kind === 'scalar' ? ref.text : null, 'ref'),
    digest: null,
    note: assumedHost,
  };
}

const assumedHost = "assumes gitlab.com, because the file doesn't name the server";

/** Reads `host/project/component@version`. A project consists of at least two segments. */
function readComponent(document: ReadDocument, entry: DocumentTree, component: string): Fact | null {
  const at = component.lastIndexOf('@');
  const [host = '', ...segments] = component.slice(0, at < 0 ? undefined : at).split('/');
  if (segments.length < 2) return null;
  const project = segments.length > 2 ? segments.slice(0, -1) : segments;
  // Assume gitlab.com if the host is a variable. GitLab recommends `$CI_SERVER_FQDN`, so the file often
  // doesn't contain the name of the server.
  const isAssumed = /^\$\{?CI_SERVER_(?:FQDN|HOST)\}?$/.test(host);
  const address = [isAssumed ? 'gitlab.com' : host, ...project].join('/');
  return {
    extractor: 'gitlab_ci',
    place: locateNode(document, treeAt(entry, 'component'), null, `include ${[host, ...segments].join('/')}`),
    artifact: { kind: 'git', name: address },
    origin: isTemplated(address) ? { type: 'unknown' } : { type: 'git', url: `https://${address}` },
    ...(isAssumed && { isOriginGuessed: true }),
    ...readVersion(at < 0 ? null : component.slice(at + 1), 'ref'),
    digest: null,
    note: isAssumed ? assumedHost : null,
  };
}
