import type { ExtractorName } from './fact.ts';

/**
 * The purpose of a kind of file. Files with the role `deployed` say what runs; the others say what builds
 * (`build`) or tests (`ci`) it.
 */
export type ExtractorRole = 'deployed' | 'build' | 'ci';

const otherRoles: Readonly<Partial<Record<ExtractorName, ExtractorRole>>> = {
  dockerfile: 'build',
  github_actions: 'ci',
  gitlab_ci: 'ci',
  ci_pipelines: 'ci',
  pre_commit: 'ci',
  tool_versions: 'ci',
};

export function roleOfExtractor(extractor: ExtractorName): ExtractorRole {
  return otherRoles[extractor] ?? 'deployed';
}
