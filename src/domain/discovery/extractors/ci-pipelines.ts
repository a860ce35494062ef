import type { DocumentTree } from '../../parsers/document-tree.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { locateNode } from '../manifest.ts';
import { textAt, treeAt } from '../read-documents.ts';
import { readImage, readWrittenImage, splitImage, type WrittenImage } from '../read-image.ts';
import { readVersion } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { withCommentedVersion } from '../version-comment.ts';
import { walkTree } from '../walk-tree.ts';
import { type FilePath, isYamlBelow, type YamlExtractor } from './extractor.ts';

/** A CI system whose pipelines are YAML files. */
interface Platform {
  wants(text: string, file: FilePath): boolean;
  /** Matches the names of fields whose value is an image. */
  image: RegExp;
  /** True if a bare name refers to another entry of the file and not to an image. */
  hasAliases?: boolean;
  /** Reads a version that `image` doesn't find, such as that of a pipe or an orb. */
  read?(node: DocumentTree, field: string): (WrittenImage & { field: string }) | null;
}

const woodpecker: Platform = {
  wants: (_, file) =>
    /^\.(?:woodpecker|drone)\.ya?ml$/.test(file.base) ||
    isYamlBelow(/(?:^|\/)\.(?:woodpecker|drone)\//, file),
  image: /^(?:steps|pipeline|services|clone)(?:\.[^.]+|\[[^\]]*\])\.image$/,
};

const azurePipelines: Platform = {
  wants: (_, file) =>
    (/azure-pipeline/i.test(file.base) && /\.ya?ml$/i.test(file.base)) ||
    isYamlBelow(/(?:^|\/)\.(?:azure-pipelines|azuredevops|pipelines)\//, file),
  image: /^resources\.containers\[[^\]]*\]\.image$|(?:^|\.)container(?:\.image)?$/,
  hasAliases: true,
};

/**
 * Bitbucket Pipelines. A pipe such as `atlassian/slack-notify:2.0.0` is the image
 * `bitbucketpipelines/slack-notify:2.0.0`.
 */
const bitbucket: Platform = {
  wants: (_, { base }) => /^bitbucket-pipelines\.ya?ml$/.test(base),
  image: /(?:^|[.\]])image(?:\.name)?$/,
  read(node, field) {
    if (node.kind !== 'scalar' || !field.endsWith('.pipe')) return null;
    const pipe = /^atlassian\/([\w-]+):(.+)$/.exec(node.text.slice(0, 300));
    const image = pipe ? `bitbucketpipelines/${pipe[1]}:${pipe[2]}` : node.text.replace(/^docker:\/\//, '');
    const read = readWrittenImage(image);
    return read && { ...read, field: `pipe ${read.artifact.name}` };
  },
};

const circleci: Platform = {
  wants: (_, file) => isYamlBelow(/(?:^|\/)\.circleci\//, file),
  image: /\.docker\[\d+\]\.image$/,
  read(node, field) {
    const orb = node.kind === 'scalar' && /^orbs\.[^.]+$/.test(field);
    const [, name, version] = (orb && /^([\w-]+\/[\w-]+)@(.+)$/.exec(node.text.slice(0, 300))) || [];
    if (name === undefined) return null;
    return {
      artifact: { kind: 'tool', name },
      origin: { type: 'unsupported' },
      ...readVersion(version ?? null, 'tool'),
      digest: null,
      note: null,
      field: `orbs ${name}`,
    };
  },
};

/** Resources and tasks of Concourse are recognized by their type, because its files can have any name. */
const concourse: Platform = {
  wants: (text) =>
    /type:\s*["']?(?:registry-image|docker-image)\b/.test(text) &&
    /source:/.test(text) &&
    /repository:/.test(text),
  image: /(?!)/,
  read(node) {
    const type = textAt(node, 'type');
    if (type !== 'registry-image' && type !== 'docker-image') return null;
    const repository = textAt(node, 'source', 'repository');
    if (repository === null) return null;
    const tag = textAt(node, 'source', 'tag') ?? textAt(node, 'version', 'tag');
    const parts = splitImage(repository);
    const image = parts && readImage({ ...parts, tag: tag ?? parts.tag });
    return image && { ...image, note: null, field: `source ${image.artifact.name}` };
  },
};

const prow: Platform = {
  wants: (text) => /^(?:presubmits|postsubmits|periodics):/m.test(text),
  image: /(?:initContainers|containers)\[[^[\]]*\]\.image$/,
};

const platforms: readonly Platform[] = [woodpecker, azurePipelines, bitbucket, circleci, concourse, prow];

/**
 * Images, pipes, and orbs of CI pipelines. Pipelines of GitHub, GitLab, and systems compatible with them have
 * separate extractors.
 */
export const ciPipelines: YamlExtractor = {
  name: 'ci_pipelines',
  wants: (text, file) => platforms.some((platform) => platform.wants(text, file)),
  extract(document, file) {
    const { tree } = document;
    const facts: Fact[] = [];
    for (const platform of platforms) {
      if (!platform.wants(document.text, file)) continue;
      walkTree(tree, ({ node, field }) => {
        if (facts.length >= maxFactsPerFile) return false;
        const add = (at: DocumentTree | undefined, image: WrittenImage, name: string) => {
          facts.push({ extractor: 'ci_pipelines', place: locateNode(document, at, null, name), ...image });
        };
        const other = platform.read?.(node, field);
        if (other) {
          const { field: name, ...image } = other;
          add(treeAt(node, 'source', 'tag') ?? node, image, name);
        } else if (
          node.kind === 'scalar' &&
          platform.image.test(field) &&
          !(platform.hasAliases && /^[\w-]+$/.test(node.text))
        ) {
          const image = readWrittenImage(node.text);
          if (image) add(node, withCommentedVersion(image, document, node), field);
        }
        return true;
      });
    }
    return { ...emptyExtraction(), facts };
  },
};
