import type { ExtractorName } from './fact.ts';

/**
 * Purpose of a kind of file. Files with the role `deployed` describe deployed software. The others describe
 * how software is built (`build`) or tested (`ci`).
 */
export type ExtractorRole = 'deployed' | 'build' | 'ci';

/** Roles of the kinds of files that don't describe deployed software. */
export const otherRoles: Readonly<Partial<Record<ExtractorName, ExtractorRole>>> = {
  dockerfile: 'build',
  execution_environment: 'build',
  github_actions: 'ci',
  gitlab_ci: 'ci',
  ci_pipelines: 'ci',
  pre_commit: 'ci',
  devcontainer: 'ci',
  tool_versions: 'ci',
  commands: 'build',
};

export function roleOfExtractor(extractor: ExtractorName): ExtractorRole {
  return otherRoles[extractor] ?? 'deployed';
}
