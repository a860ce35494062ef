import type { Link } from './fact.ts';
import type { LinkedFact } from './link-facts.ts';
import { readWrittenImage } from './read-image.ts';
import { readVersion } from './read-version.ts';
import { directoryOf } from './repository-path.ts';

type Values = Extract<Link, { type: 'terraform_values' }>;

/** Maximum length of a chain of values that refer to each other. */
const maxDepth = 5;

/** Maximum length of a resolved text. The longest image reference with a digest is shorter. */
const maxLength = 1_000;

/**
 * Replaces references to variables and local values with their literal values. Terraform loads all files of a
 * directory together; values in `terraform.tfvars` and `.auto.tfvars` files override defaults.
 */
export function linkTerraformValues(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: Values]>,
): void {
  const byDirectory = new Map<string, Map<string, string>>();
  const ordered = [...links].sort(
    ([a], [b]) => Number(a.endsWith('.tfvars')) - Number(b.endsWith('.tfvars')),
  );
  for (const [path, { values }] of ordered) {
    const known = byDirectory.get(directoryOf(path)) ?? new Map<string, string>();
    byDirectory.set(directoryOf(path), known);
    for (const [name, value] of values) known.set(name, value);
  }
  for (const fact of facts) {
    const { expression } = fact;
    const values = expression === undefined ? undefined : byDirectory.get(directoryOf(fact.file));
    if (expression === undefined || !values) continue;
    const text = resolve(expression, values);
    if (text === expression) continue;
    if (fact.artifact.kind === 'image') {
      const image = readWrittenImage(text);
      if (image) Object.assign(fact, image);
    } else Object.assign(fact, readVersion(text, 'chart'));
    fact.note = `value of ${expression.slice(0, 100)}`;
  }
}

function resolve(text: string, values: ReadonlyMap<string, string>): string {
  let resolved = text;
  for (let depth = 0; depth < maxDepth; depth++) {
    const next = resolved
      .replaceAll(reference, (written, name: string) => values.get(name) ?? written)
      // The text can grow at each level, and values can refer to each other.
      .slice(0, maxLength);
    if (next === resolved) break;
    resolved = next;
  }
  return resolved;
}

const reference = /\$\{\s*((?:var|local)(?:\.[\w-]+)+)\s*\}/g;
