import { readImageAssignment } from './embedded-images.ts';
import { downloadsIn } from './extractors/commands.ts';
import type { Fact } from './fact.ts';
import { createPackageReader } from './python-packages.ts';
import { isSecretName } from './read-dotenv.ts';
import { readImage, splitImage } from './read-image.ts';
import { isTemplated, readVersion } from './read-version.ts';
import { repositoryVariables } from './repository-variables.ts';
import { maxFactsPerFile } from './scan-limits.ts';

const assignment =
  /^[ \t]{0,60}([A-Za-z_]\w{0,99})[ \t]{0,60}=[ \t]{1,20}"([^"]{1,300})",?[ \t]*(?:#.*|\/\/.*)?$/;

/**
 * Returns the versions in expressions and strings of a Terraform file, without evaluating them: images of
 * containers, such as those of a task definition in JSON, downloads of scripts, and repositories with their
 * versions in variables.
 */
export function readHclTexts(text: string): Fact[] {
  const facts: Fact[] = [];
  const add = (line: number, field: string, found: Omit<Fact, 'extractor' | 'place'>) => {
    const place = { line, document: 0, kind: null, namespace: null, name: null, field };
    facts.push({ extractor: 'terraform', place, ...found });
  };
  const values = new Map<string, string>();
  const lines = new Map<string, number>();
  const allLines = text.split('\n').map((line) => line.slice(0, 1_000));
  const packagesIn = createPackageReader(allLines);
  for (const [at, line] of allLines.entries()) {
    if (facts.length >= maxFactsPerFile) break;
    if (/^\s*(?:#|\/\/)/.test(line)) continue;
    for (const found of packagesIn(at)) add(at + 1, `package ${found.artifact.name}`, found);
    for (const found of downloadsIn(line)) add(at + 1, `download ${found.artifact.name}`, found);
    const image = readImageAssignment(line);
    const parts = image && splitImage(image.image);
    // A name without a namespace can belong to a machine image instead of a container image, unless it's in
    // JSON.
    if (image && parts && (parts.name.includes('/') || /^\s*"/.test(line)))
      add(at + 1, `text ${image.key} ${parts.name}`, { ...readImage(parts), note: 'in a text' });
    const [, name, value] = assignment.exec(line) ?? [];
    if (name === undefined || value === undefined || isSecretName(name) || values.has(name)) continue;
    values.set(name, value);
    lines.set(name, at + 1);
  }
  for (const { version, url } of repositoryVariables(values)) {
    const written = values.get(version)!;
    if (isTemplated(written)) continue;
    add(lines.get(version)!, version, {
      artifact: { kind: 'git', name: url },
      origin: { type: 'git', url },
      ...readVersion(written, 'ref'),
      digest: null,
      note: `version of ${url}`.slice(0, 300),
    });
  }
  return facts;
}
