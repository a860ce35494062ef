import type { Link } from './fact.ts';
import type { LinkedFact } from './link-facts.ts';
import { readWrittenImage } from './read-image.ts';
import { readVersion } from './read-version.ts';
import { directoryOf } from './repository-path.ts';
import { resolveReferences } from './terraform-values.ts';

type Values = Extract<Link, { type: 'terraform_values' }>;

/**
 * Replaces references to variables and local values with their literal values. Terraform loads all files of a
 * directory together; values in `terraform.tfvars` and `.auto.tfvars` files override defaults.
 */
export function linkTerraformValues(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: Values]>,
): void {
  const byDirectory = new Map<string, Map<string, string>>();
  /** Values that a `.tfvars` file sets, as directory and name. */
  const set = new Set<string>();
  const ordered = [...links].sort(
    ([a], [b]) => Number(a.endsWith('.tfvars')) - Number(b.endsWith('.tfvars')),
  );
  for (const [path, { values }] of ordered) {
    const known = byDirectory.get(directoryOf(path)) ?? new Map<string, string>();
    byDirectory.set(directoryOf(path), known);
    for (const [name, value] of values) {
      known.set(name, value);
      if (path.endsWith('.tfvars')) set.add(`${directoryOf(path)}\0${name}`);
    }
  }
  for (const fact of facts) {
    const { expression } = fact;
    const directory = directoryOf(fact.file);
    const values = expression === undefined ? undefined : byDirectory.get(directory);
    if (expression === undefined || !values) continue;
    const { text, used } = resolveReferences(expression, values);
    if (used.size === 0) continue;
    if (fact.artifact.kind === 'image') {
      const image = readWrittenImage(text);
      if (image) Object.assign(fact, image);
    } else Object.assign(fact, readVersion(text, 'chart'));
    // A caller of the module or a command can set another value than the default.
    const isDefault = [...used].some((name) => name.startsWith('var.') && !set.has(`${directory}\0${name}`));
    fact.note = `${isDefault ? 'default ' : ''}value of ${expression.slice(0, 100)}`;
  }
}
