import type { DocumentTree } from '../../parsers/document-tree.ts';
import { emptyExtraction } from '../fact.ts';
import { textAt, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import type { YamlExtractor } from './extractor.ts';
import { entriesOf } from './gitlab-ci.ts';

/** Maximum number of variables and of included files of one file. Real pipelines have up to about a hundred. */
const maxEntries = 500;

/**
 * Extracts the global variables of GitLab pipelines, and the paths of the files that pipelines include. Any
 * file can be part of a pipeline, so the extractor yields only links, not items.
 *
 * @see https://docs.gitlab.com/ci/yaml/includes/
 */
export const gitlabVariables: YamlExtractor = {
  name: 'gitlab_ci',
  isAuxiliary: () => true,
  wants: (text) =>
    /^(?:variables|include):|^[ ]+trigger:/m.test(text) && !/^(?:apiVersion|kind|pool|on|jobs):/m.test(text),
  extract({ tree }) {
    if (tree.kind !== 'map') return emptyExtraction();
    const includes = [...localPaths(treeAt(tree, 'include'))];
    const triggers: string[] = [];
    for (const [, job] of tree.entries()) {
      if (triggers.length >= maxEntries) break;
      if (job.kind === 'map') triggers.push(...localPaths(treeAt(job, 'trigger', 'include')));
    }
    const variables = [...variablesOf(treeAt(tree, 'variables'))];
    if (variables.length + includes.length + triggers.length === 0) return emptyExtraction();
    const link = {
      type: 'gitlab_pipeline' as const,
      variables,
      includes: includes.slice(0, maxEntries),
      triggers: triggers.slice(0, maxEntries),
    };
    return { ...emptyExtraction(), links: [link] };
  },
};

/** Yields the variables that can be part of an image. */
function* variablesOf(variables: DocumentTree | undefined): Generator<[name: string, value: string], void> {
  if (variables?.kind !== 'map') return;
  let left = maxEntries;
  for (const [name, node] of variables.entries()) {
    const value = node.kind === 'map' ? textAt(node, 'value') : node.kind === 'scalar' ? node.text : null;
    if (value === null || isSecretName(name) || !/^[\w.:/@${}+-]{1,300}$/.test(value)) continue;
    if (left-- <= 0) return;
    yield [name, value];
  }
}

/** Yields the paths of included files in the same repository. They start at its root and can contain wildcards. */
function* localPaths(include: DocumentTree | undefined): Generator<string, void> {
  for (const entry of entriesOf(include)) {
    if (entry.kind === 'scalar') {
      if (!/^[a-z]+:\/\//i.test(entry.text)) yield entry.text;
      continue;
    }
    for (const path of entriesOf(treeAt(entry, 'local'))) if (path.kind === 'scalar') yield path.text;
  }
}
