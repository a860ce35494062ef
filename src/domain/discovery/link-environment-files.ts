import type { Link } from './fact.ts';
import type { LinkedFact } from './link-facts.ts';
import { readWrittenImage, splitImage } from './read-image.ts';
import { baseOf, directoryOf } from './repository-path.ts';
import { substituteVariables } from './substitute-variables.ts';

type EnvironmentFile = Extract<Link, { type: 'environment_file' }>;

/**
 * Replaces variables in the images of systemd units with values from the environment files that the units
 * name. A unit contains the path of a file on the host, so the file is found by its name: next to the unit,
 * or anywhere if only one file has the name.
 */
export function linkEnvironmentFiles(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: EnvironmentFile]>,
): void {
  const open = facts.filter(({ inEnvironment }) => inEnvironment !== undefined);
  if (open.length === 0) return;
  const byName = new Map<string, { path: string; values: EnvironmentFile['values'] }[]>();
  for (const [path, { values }] of links) {
    const base = baseOf(path);
    byName.set(base, [...(byName.get(base) ?? []), { path, values }]);
  }
  for (const fact of open) {
    const { written, files } = fact.inEnvironment!;
    const variables = new Map<string, { value: string; line: number; path: string }>();
    for (const file of files) {
      const candidates = byName.get(baseOf(file)) ?? [];
      const near = candidates.find(({ path }) => directoryOf(path) === directoryOf(fact.file));
      const found = near ?? (candidates.length === 1 ? candidates[0] : undefined);
      for (const [name, value, line] of found?.values ?? [])
        variables.set(name, { value, line, path: found!.path });
    }
    const { text } = substituteVariables(written, (name) => variables.get(name)?.value);
    const image = text === written ? null : readWrittenImage(text);
    if (!image) continue;
    const { note, ...read } = image;
    Object.assign(fact, read, { isOriginCertain: image.isOriginGuessed !== true });
    // Without a tag, search the whole text, because a variable can contain the whole image.
    const inVersion = splitImage(written)?.tag ?? written;
    const names = Array.from(inVersion.matchAll(/\$\{?([A-Za-z_]\w*)/g), ([, name]) => name!);
    const source = names.map((name) => variables.get(name)).findLast((each) => each !== undefined);
    fact.note = note ?? `value of ${written.slice(0, 100)}`;
    if (source) {
      fact.file = source.path;
      fact.place = { ...fact.place, line: source.line };
    }
  }
}
