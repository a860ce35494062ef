import type { DocumentTree } from '../../parsers/document-tree.ts';
import { readAnsibleRequirements } from '../ansible-requirements.ts';
import { type Extracted, emptyExtraction } from '../fact.ts';
import { locateNode } from '../manifest.ts';
import { readPipPackage, usesOtherIndex } from '../python-packages.ts';
import { listAt, type ReadDocument, treeAt } from '../read-documents.ts';
import { readWrittenImage } from '../read-image.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { withCommentedVersion } from '../version-comment.ts';
import { dockerfile } from './dockerfile.ts';
import type { FilePath, YamlExtractor } from './extractor.ts';

/**
 * Base images, collections, roles, and Python packages of the images that ansible-builder builds. Other files that a
 * definition names, such as `requirements.yml`, are read separately.
 *
 * @see https://ansible.readthedocs.io/projects/builder/en/stable/definition/
 */
export const executionEnvironment: YamlExtractor = {
  name: 'execution_environment',
  wants: isExecutionEnvironment,
  extract(document) {
    const { tree } = document;
    const result = emptyExtraction();
    for (const [field, ...path] of images) addImage(document, treeAt(tree, ...path), field, result);
    result.facts.push(
      ...readAnsibleRequirements(document, treeAt(tree, 'dependencies', 'galaxy'), 'execution_environment'),
    );
    const packages = [...listAt(tree, 'dependencies', 'python')];
    const hasOtherIndex = packages.some((each) => each.kind === 'scalar' && usesOtherIndex(each.text));
    for (const entry of packages) addPackage(document, entry, 'package', result, hasOtherIndex);
    for (const name of ['ansible_core', 'ansible_runner'])
      addPackage(document, treeAt(tree, 'dependencies', name, 'package_pip'), name, result);
    const steps = treeAt(tree, 'additional_build_steps');
    if (steps?.kind === 'map')
      for (const [name, step] of steps.entries())
        for (const entry of step.kind === 'list' ? listAt(step) : [step])
          addCopiedImages(document, entry, name, result);
    return result;
  },
};

/**
 * True for a definition with any name. A file without a version has the first one, which is recognized by its name or
 * by a key that no other tool uses.
 */
export function isExecutionEnvironment(text: string, { base }: FilePath): boolean {
  if (!/\.ya?ml$/i.test(base)) return false;
  if (/^execution[-_]environment\.ya?ml$/i.test(base)) return true;
  if (/^(?:additional_build_steps|build_arg_defaults):/m.test(text)) return true;
  return (
    /^version:[ \t]*["']?[123]["']?[ \t]*(?:#.*)?\r?$/m.test(text) &&
    /^(?:dependencies|images):/m.test(text) &&
    /^[ \t]+["']?(?:base_image|galaxy|ansible_core|ansible_runner|python_interpreter|python)["']?:/m.test(
      text,
    )
  );
}

/** Fields of images, and the paths of keys that lead to them. The last two are those of the first version. */
const images: readonly [field: string, ...path: string[]][] = [
  ['images.base_image', 'images', 'base_image', 'name'],
  ['images.builder_image', 'images', 'builder_image', 'name'],
  ['EE_BASE_IMAGE', 'build_arg_defaults', 'EE_BASE_IMAGE'],
  ['EE_BUILDER_IMAGE', 'build_arg_defaults', 'EE_BUILDER_IMAGE'],
];

function addImage(
  document: ReadDocument,
  node: DocumentTree | undefined,
  field: string,
  result: Extracted,
): void {
  const image = node?.kind === 'scalar' ? readWrittenImage(node.text) : null;
  if (!image) return;
  result.facts.push({
    extractor: 'execution_environment',
    place: locateNode(document, node, null, field),
    ...withCommentedVersion(image, document, node!),
  });
}

function addPackage(
  document: ReadDocument,
  node: DocumentTree | undefined,
  field: string,
  result: Extracted,
  hasOtherIndex = false,
): void {
  const found = node?.kind === 'scalar' ? readPipPackage(node.text, hasOtherIndex) : null;
  if (!found || result.facts.length >= maxFactsPerFile) return;
  const place = locateNode(document, node, null, `${field} ${found.artifact.name}`);
  result.facts.push({ extractor: 'execution_environment', place, ...found });
}

/** Adds the images from which a step copies files. The steps are lines of a Containerfile. */
function addCopiedImages(document: ReadDocument, node: DocumentTree, step: string, result: Extracted): void {
  if (node.kind !== 'scalar' || !node.text.includes('--')) return;
  // The text of a block scalar begins on the line below its key.
  const first = document.lineOf(node) + (node.text.includes('\n') ? 1 : 0);
  const { facts } = dockerfile.extract(node.text, { path: 'Containerfile', base: 'Containerfile' });
  for (const fact of facts) {
    // Skip the names of stages, such as `base` and `galaxy`, and what commands install, which is read as in other files.
    if (fact.artifact.kind !== 'image' || /^[\w-]+$/.test(fact.artifact.name)) continue;
    if (result.facts.length >= maxFactsPerFile) return;
    const place = { ...fact.place, line: first + fact.place.line - 1, document: document.index };
    result.facts.push({
      ...fact,
      extractor: 'execution_environment',
      place: { ...place, field: `${step} ${fact.place.field}` },
    });
  }
}
