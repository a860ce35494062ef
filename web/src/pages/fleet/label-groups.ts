import type { Schemas } from '../../../../src/generated/client-api.ts';

type Config = Schemas['AlertConfig'];

/** The keys of all labels, by name. */
export function labelKeysOf(configs: readonly Pick<Config, 'labels'>[]): string[] {
  return [...new Set(configs.flatMap(({ labels }) => Object.keys(labels)))].toSorted();
}

export interface LabelGroup {
  /** Null: those without this label. */
  value: string | null;
  configs: Config[];
}

/** The configurations by their value of one label; those without it come last. */
export function groupByLabel(configs: readonly Config[], key: string): LabelGroup[] {
  const groups = Map.groupBy(configs, ({ labels }) => labels[key] ?? null);
  const last = groups.get(null);
  groups.delete(null);
  return [
    ...[...groups]
      .map(([value, members]) => ({ value, configs: members }))
      .toSorted((a, b) => (a.value ?? '').localeCompare(b.value ?? '', 'en', { numeric: true })),
    ...(last ? [{ value: null, configs: last }] : []),
  ];
}
