import type { DocumentTree } from '../../parsers/document-tree.ts';
import { imagesInArguments, imagesInEnvironment } from '../argument-images.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { factDefaults, locateNode, type ManifestNames, namesOf } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import {
  type ImageFact,
  looksLikeImage,
  readImage,
  readWrittenImage,
  splitImage,
  splitImageText,
  templateOf,
} from '../read-image.ts';
import { readVersion } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { type Substituted, substituteVariables } from '../substitute-variables.ts';
import { withCommentedVersion } from '../version-comment.ts';
import { readPatchedVersions } from '../version-patches.ts';
import { walkTree } from '../walk-tree.ts';
import { dockerfile } from './dockerfile.ts';
import type { YamlExtractor } from './extractor.ts';
import { readImageMap, readSplitImages, type SharedParts } from './helm-values.ts';
import { terraform } from './terraform.ts';

/** Images of workloads and of custom resources that contain one. */
export const kubernetes: YamlExtractor = {
  name: 'kubernetes',
  wants: (text) =>
    (text.includes('apiVersion') &&
      (/image|reference|package:|dockerfile:|required_providers|^ +module "/im.test(text) ||
        canBeVersionPatch(text))) ||
    (/^- *op:/m.test(text) && /^ +(?:- )?image:/m.test(text)),
  extract(document) {
    const { tree } = document;
    const result = emptyExtraction();
    const readObject = (object: DocumentTree) => {
      const names = namesOf(object);
      if (names.kind === null || names.apiVersion === '' || isReadElsewhere(names)) return;
      if (names.kind === 'Plan' && names.apiVersion.startsWith('upgrade.cattle.io/')) {
        const facts = readUpgradePlan(document, object, names);
        result.facts.push(...facts);
        if (facts.length > 0) return;
      }
      const isComplete = walkTree(object, ({ node, key, field }) => {
        if (result.facts.length >= maxFactsPerFile) return false;
        if (skipped.has(field)) return false;
        if (node.kind === 'map') {
          for (const { tagKey, tagNode, image } of readSplitImages(node, undefined, noShared)) {
            // Skip the key `version`, because the version of an object isn't necessarily the tag of its
            // image.
            if (tagKey === 'version') continue;
            if (result.facts.length >= maxFactsPerFile) return false;
            const place = locateNode(document, tagNode, names, `${shorten(field)}.${tagKey}`);
            result.facts.push({ extractor: 'kubernetes', place, ...image, note: null });
          }
        }
        if (node.kind === 'map' && (/image$/i.test(key) || isImageWithNamespace(node))) {
          const read = readImageMap(node, key);
          if (!read || textAt(node, read.tagKey) === null) return true;
          const place = locateNode(document, treeAt(node, read.tagKey), names, shorten(field));
          result.facts.push({ extractor: 'kubernetes', place, ...read.image, note: null });
          return false;
        }
        if (key === 'from' && textAt(node, 'kind') === 'DockerImage') {
          const image = readWrittenImage(textAt(node, 'name') ?? '');
          const place = locateNode(document, treeAt(node, 'name'), names, shorten(field));
          if (image) result.facts.push({ extractor: 'kubernetes', place, ...image });
          return false;
        }
        if (node.kind === 'list' && /^(?:args|command|env)$/.test(key)) {
          const given = key === 'env' ? imagesInEnvironment(node) : imagesInArguments(node);
          for (const { node: value, name, image } of given) {
            if (result.facts.length >= maxFactsPerFile) return false;
            const place = locateNode(document, value, names, `${shortenOwner(field)} ${name}`);
            result.facts.push({ extractor: 'kubernetes', place, ...image, note: null });
          }
        }
        if (node.kind !== 'scalar') return true;
        if (key === 'dockerfile' && names.kind === 'BuildConfig') {
          const first = document.lineOf(node);
          for (const fact of dockerfile.extract(node.text, { path: 'Dockerfile', base: 'Dockerfile' })
            .facts) {
            const { kind, namespace, name } = names;
            // Skip a simple name without a version. It's a placeholder, which the build strategy replaces
            // with its image.
            if (
              fact.artifact.kind === 'image' &&
              /^[\w-]+$/.test(fact.artifact.name) &&
              fact.version === null
            )
              continue;
            const field = `dockerfile ${fact.place.field}`;
            // The text begins on the line below its key.
            const line = first + fact.place.line;
            const place = { line, document: document.index, kind, namespace, name, field };
            result.facts.push({ ...fact, extractor: 'kubernetes', place });
          }
          return false;
        }
        if (isTerraform(key, names) && node.text.includes('\n')) {
          const first = document.lineOf(node);
          const { facts } = terraform.extract(node.text, { path: 'main.tf', base: 'main.tf' });
          for (const { expression: _, service, release, ...fact } of facts) {
            // Skip services and releases that refer to variables, because other texts and the object itself
            // set the variables.
            if (service !== undefined || release !== undefined) continue;
            const { kind, namespace, name } = names;
            const inner = [fact.place.kind, fact.place.name, fact.place.field].filter(Boolean).join(' ');
            // The text begins on the line below its key.
            const line = first + fact.place.line;
            const place = {
              line,
              document: document.index,
              kind,
              namespace,
              name,
              field: `${field} ${inner}`,
            };
            result.facts.push({ ...fact, extractor: 'kubernetes', place });
          }
          return false;
        }
        const isImage =
          /image(?:Name)?$/i.test(key) ||
          (field === 'spec.package' && names.apiVersion.startsWith('pkg.crossplane.io/')) ||
          (key === 'reference' && /volumes\[[^[\]]*\]\.image\.reference$/.test(field));
        if (!isImage) return false;
        const { text, usedDefault } = withDefaults(node.text);
        const image = isContainer(field) ? readWrittenImage(text) : readPossibleImage(text, key);
        if (!image) return false;
        const place = locateNode(document, node, names, shorten(field));
        const read = withCommentedVersion(image, document, node);
        const note = usedDefault ? `default value of ${node.text.slice(0, 100)}` : read.note;
        const template = templateOf(splitImageText(node.text));
        result.facts.push({ extractor: 'kubernetes', place, ...read, note, ...(template && { template }) });
        return false;
      });
      if (!isComplete || result.facts.length >= maxFactsPerFile)
        result.problems.push({ line: document.line, reason: 'too_large', message: reasonTexts.too_large });
      const { kind, namespace, name } = names;
      const versions =
        object === tree && canBeVersionPatch(document.text) ? readPatchedVersions(document) : [];
      if (versions.length > 0)
        result.links.push({ type: 'version_patch', kind, namespace, name, isInline: false, versions });
    };
    if (tree.kind === 'list') result.facts.push(...readPatchImages(document));
    else if (textAt(tree, 'kind')?.endsWith('List'))
      for (const item of listAt(tree, 'items')) readObject(item);
    else readObject(tree);
    return result;
  },
};

/** True for the key of a Terraform configuration in an object, as in the Terraform provider of Crossplane. */
function isTerraform(key: string, { apiVersion }: ManifestNames): boolean {
  return (key === 'configuration' || key === 'module') && /^(?:tf|terraform|opentofu)\./.test(apiVersion);
}

/**
 * Replaces variables such as `${TAG:=1.2.3}` with their defaults, as Flux does if a Kustomization sets no
 * value.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution
 */
function withDefaults(text: string): Substituted {
  return text.includes('${')
    ? substituteVariables(text.replaceAll(':=', ':-'), () => undefined)
    : { text, usedDefault: false };
}

/** Returns the images of the containers that the operations of a JSON patch add. */
function readPatchImages(document: ReadDocument): Fact[] {
  const facts: Fact[] = [];
  for (const operation of listAt(document.tree)) {
    const [op, path, value] = [
      textAt(operation, 'op'),
      textAt(operation, 'path'),
      treeAt(operation, 'value'),
    ];
    if ((op !== 'add' && op !== 'replace') || path === null || value === undefined) continue;
    // An operation contains a list of containers, or one container, whose path ends with its index.
    const [, list] = /\/(initContainers|containers)(?:\/(?:\d+|-))?$/.exec(path.slice(0, 300)) ?? [];
    if (list === undefined) continue;
    for (const container of value.kind === 'list' ? listAt(value) : [value]) {
      const [name, image] = [textAt(container, 'name'), treeAt(container, 'image')];
      const read = image?.kind === 'scalar' ? readWrittenImage(image.text) : null;
      if (!image || !read || facts.length >= maxFactsPerFile) continue;
      const place = locateNode(document, image, null, `${list}[${name ?? ''}].image`);
      facts.push({ extractor: 'kubernetes', place, ...withCommentedVersion(read, document, image) });
    }
  }
  return facts;
}

/** True for a short object that sets a version. Patches are short, and definitions of resources are long. */
function canBeVersionPatch(text: string): boolean {
  return text.length <= maxPatchLength && /^[ ]+(?:version|tag|imageTag|tagOverride):/m.test(text);
}

const maxPatchLength = 20_000;

const noShared: SharedParts = { registry: null, hub: null, tag: null };

/** True for a map such as `{ repository: nvcr.io/nvidia, image: driver, version: 550.90.07 }`. */
function isImageWithNamespace(map: DocumentTree): boolean {
  return textAt(map, 'image') !== null && textAt(map, 'repository') !== null;
}

/** Reads an image from a custom resource, where the same key can also contain a picture or a file. */
function readPossibleImage(text: string, key: string): ImageFact | null {
  const image = /[/:]/.test(text) ? splitImage(text) : null;
  if (!image || !looksLikeImage(text)) return null;
  const isCertain = image.tag !== null || image.digest !== null;
  return isCertain || (key === 'image' && !text.startsWith('/')) ? readImage(image) : null;
}

/**
 * Reads a plan of the system upgrade controller. The version of its image is the version of the software on
 * the nodes.
 */
function readUpgradePlan(document: ReadDocument, plan: DocumentTree, names: ManifestNames): Fact[] {
  const version = treeAt(plan, 'spec', 'version');
  const image = textAt(plan, 'spec', 'upgrade', 'image');
  const tool = /(?:^|\/)([a-z0-9]+)-upgrade$/.exec(image?.slice(0, 1_000) ?? '')?.[1];
  if (version?.kind !== 'scalar' || tool === undefined) return [];
  return [
    {
      extractor: 'kubernetes',
      place: locateNode(document, version, names, 'spec.version'),
      artifact: { kind: 'tool', name: tool },
      origin: { type: 'tool' },
      ...readVersion(version.text, 'tool'),
      ...factDefaults,
      ...(version.text.includes('${') && {
        template: { name: tool, version: version.text, digest: null, notation: 'tool' },
      }),
    },
  ];
}

/**
 * True for kinds that other extractors read, for definitions that only describe fields, and for development
 * tools, which build the images in their configuration.
 */
function isReadElsewhere({ apiVersion, kind }: ManifestNames): boolean {
  return (
    kind === 'CustomResourceDefinition' ||
    kind === 'ConfigMap' ||
    apiVersion.includes('.toolkit.fluxcd.io/') ||
    apiVersion.startsWith('kustomize.config.k8s.io/') ||
    // An image updater contains constraints for its images, not the deployed versions, which it sets
    // elsewhere.
    apiVersion.startsWith('argocd-image-updater.argoproj.io/') ||
    /^(?:skaffold|garden\.io|devspace\.sh|okteto\.dev)\//.test(apiVersion) ||
    (apiVersion.startsWith('argoproj.io/') && (kind === 'Application' || kind === 'ApplicationSet'))
  );
}

const skipped: ReadonlySet<string> = new Set(['metadata.annotations', 'metadata.managedFields', 'status']);

function isContainer(field: string): boolean {
  return /(?:^|\.)(?:initContainers|containers|ephemeralContainers)\[[^[\]]*\]\.image$/.test(field);
}

/** Returns the container that a field belongs to, such as `containers[web]`, or else the map that contains the field. */
function shortenOwner(field: string): string {
  const owner = field.slice(0, Math.max(0, field.lastIndexOf('.')));
  return /(?:initContainers|containers|ephemeralContainers)\[[^[\]]*\]$/.exec(owner)?.[0] ?? owner;
}

/** Shortens a field to `containers[web]`, so that it doesn't depend on where a kind contains its pod. */
function shorten(field: string): string {
  const match = /(?:initContainers|containers|ephemeralContainers|volumes)\[[^[\]]*\](?=\.image)/.exec(field);
  return match ? match[0] : field;
}
