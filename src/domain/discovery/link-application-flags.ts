import { createTemplateFlags } from './link-chart-conditions.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/** Maximum number of Applications in templates, each counted for each environment. */
const maxChecks = 200_000;

/**
 * Marks what an Application in a template of a chart deploys as not installed where the values of the chart
 * disable the Application. Each values file next to `values.yaml` is an environment: a values file with the same
 * name in the directory of the Application belongs to it. The other files in that directory aren't installed if
 * all environments disable the Application.
 */
export function linkApplicationFlags(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  { chartDirectories, paths }: { chartDirectories: ReadonlySet<string>; paths: readonly string[] },
): void {
  const gated = new Map<string, { chart: string; flags: string[] }[]>();
  const always = new Set<string>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'templated_application' && link.type !== 'application') continue;
      const directory = resolvePath('', link.directory);
      if (directory === null || directory === '') continue;
      const chart = /^(?:(.*)\/)?templates\//.exec(path)?.[1] ?? '';
      if (link.type === 'application' || link.flags.length === 0 || !chartDirectories.has(chart))
        always.add(directory);
      else {
        const uses = gated.get(directory) ?? [];
        gated.set(directory, uses);
        uses.push({ chart, flags: link.flags });
      }
    }
  if (gated.size === 0) return;
  const templateFlags = createTemplateFlags(files);
  const valuesOf = Map.groupBy(
    paths.filter((path) => /(?:^|[/._-])values(?:[._-][^/]{0,200})?\.ya?ml$/i.test(path)),
    directoryOf,
  );
  const notes = new Map<string, string>();
  const whole = new Map<string, string>();
  let left = maxChecks;
  for (const [directory, uses] of gated) {
    if (always.has(directory)) continue;
    const disabledBy = uses.map(({ chart, flags }) => {
      const valuesFiles = valuesOf.get(chart) ?? [];
      const isDefault = (file: string) => /(?:^|\/)values\.ya?ml$/.test(file);
      const defaults = valuesFiles.find(isDefault);
      const others = valuesFiles.filter((file) => file !== defaults);
      const environments = others.length > 0 ? others : valuesFiles;
      left -= environments.length;
      return new Map(
        environments.map((file) => {
          const flag = left < 0 ? undefined : templateFlags.disabling(flags, file, defaults ?? null);
          return [file, flag === undefined ? null : `${flag} is false for ${file}`.slice(0, 300)] as const;
        }),
      );
    });
    const all = disabledBy.flatMap((each) => [...each.values()]);
    const byName = Map.groupBy(
      disabledBy.flatMap((each) => [...each]),
      ([file]) => baseOf(file),
    );
    for (const [name, found] of byName) {
      const [first] = found;
      if (first?.[1] && name !== 'values.yaml' && found.every(([, note]) => note !== null))
        notes.set(`${directory}/${name}`, first[1]);
    }
    if (all[0] && all.every((note) => note !== null)) whole.set(directory, all[0]);
  }
  if (notes.size + whole.size === 0) return;
  for (const fact of facts) {
    if (fact.reason === 'not_installed' || fact.reason === 'local') continue;
    const note = notes.get(fact.file) ?? noteOfDirectory(fact.file, whole);
    if (note !== undefined) Object.assign(fact, { reason: 'not_installed', note });
  }
}

function baseOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

function noteOfDirectory(file: string, notes: ReadonlyMap<string, string>): string | undefined {
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
    const note = notes.get(file.slice(0, at));
    if (note !== undefined) return note;
  }
  return undefined;
}
