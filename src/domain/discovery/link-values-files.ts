import type { Fact } from './fact.ts';
import type { ScannedFile } from './link-facts.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/**
 * Returns the images of files that a release names as its values. The release can be in a helmfile, an
 * Application, a kustomization, or Terraform. Such files can have any name.
 */
export function valuesOfNamedFiles(files: readonly ScannedFile[]): { path: string; fact: Fact }[] {
  const named = new Set<string>();
  for (const { path, links } of files)
    for (const link of links)
      if (link.type === 'values_files')
        for (const target of link.paths) {
          const joined = resolvePath(link.isFromRoot ? '' : directoryOf(path), target);
          if (joined !== null) named.add(joined);
        }
  return files.flatMap(({ path, links }) =>
    links.flatMap((link) =>
      link.type === 'possible_values' && named.has(path) ? link.images.map((fact) => ({ path, fact })) : [],
    ),
  );
}
