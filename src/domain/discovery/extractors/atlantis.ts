import { emptyExtraction, type Fact } from '../fact.ts';
import { factDefaults, locateNode } from '../manifest.ts';
import { listAt, textAt, treeAt } from '../read-documents.ts';
import { readVersion } from '../read-version.ts';
import type { YamlExtractor } from './extractor.ts';

/**
 * Versions of Terraform or OpenTofu with which Atlantis plans the projects of a repository.
 *
 * @see https://www.runatlantis.io/docs/repo-level-atlantis-yaml
 */
export const atlantis: YamlExtractor = {
  name: 'tool_versions',
  wants: (text, { base }) => /^atlantis\.ya?ml$/.test(base) && /terraform_version:/.test(text),
  extract(document) {
    const facts = [...listAt(document.tree, 'projects')].flatMap((project): Fact[] => {
      const version = treeAt(project, 'terraform_version');
      if (version?.kind !== 'scalar') return [];
      const names = {
        kind: 'project',
        namespace: textAt(project, 'workspace'),
        name: textAt(project, 'name') ?? textAt(project, 'dir'),
      };
      const tool = textAt(project, 'terraform_distribution') === 'opentofu' ? 'opentofu' : 'terraform';
      return [
        {
          extractor: 'tool_versions',
          place: locateNode(document, version, names, 'terraform_version'),
          artifact: { kind: 'tool', name: tool },
          origin: { type: 'tool' },
          ...readVersion(version.text, 'terraform'),
          ...factDefaults,
        },
      ];
    });
    return { ...emptyExtraction(), facts };
  },
};
