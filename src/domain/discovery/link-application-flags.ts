import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

interface Flags {
  file: string;
  values: ReadonlyMap<string, boolean>;
}

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
      else gated.set(directory, [...(gated.get(directory) ?? []), { chart, flags: link.flags }]);
    }
  if (gated.size === 0) return;
  const flagsOf = new Map<string, Map<string, boolean>>();
  for (const { path, links } of files)
    for (const link of links)
      if (link.type === 'value_flags') {
        const known = flagsOf.get(path) ?? new Map<string, boolean>();
        for (const [flag, isEnabled] of link.flags) known.set(flag, isEnabled);
        flagsOf.set(path, known);
      }
  const valuesOf = Map.groupBy(
    paths.filter((path) => /(?:^|[/._-])values(?:[._-][^/]*)?\.ya?ml$/i.test(path)),
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
      const base = defaults === undefined ? undefined : flagsOf.get(defaults);
      return new Map(
        environments.map((file) => {
          const own = flagsOf.get(file);
          const flag =
            left < 0 ? undefined : flags.find((each) => (own?.get(each) ?? base?.get(each)) === false);
          const place = flag !== undefined && own?.get(flag) === undefined ? defaults : file;
          return [file, flag === undefined ? null : `${flag} is false in ${place}`.slice(0, 300)] as const;
        }),
      );
    });
    const names = new Set(disabledBy.flatMap((each) => [...each.keys()].map(baseOf)));
    for (const name of names) {
      const found = disabledBy.flatMap((each) => [...each].filter(([file]) => baseOf(file) === name));
      const [first] = found;
      if (first?.[1] && name !== 'values.yaml' && found.every(([, note]) => note !== null))
        notes.set(`${directory}/${name}`, first[1]);
    }
    const all = disabledBy.flatMap((each) => [...each.values()]);
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
