import type { GatherSummary } from './release-source.ts';

/**
 * Returns the summary fields to override if a list is empty although releases of the job are stored.
 * Otherwise, returns no fields. Servers return empty lists while they are indexing, after a permission was
 * removed, or from an empty cache, so such a list doesn't prove that all releases were removed.
 *
 * @param found Number of releases in the list.
 */
export function emptyListSummary(
  { knownTags }: { readonly knownTags: readonly string[] },
  found: number,
): Partial<Pick<GatherSummary, 'isCompleteList' | 'listCut' | 'warnings'>> {
  if (found > 0 || knownTags.length === 0) return {};
  return {
    isCompleteList: false,
    listCut: 'anywhere',
    warnings: ['The list is empty, although it contained releases before. They are kept.'],
  };
}
