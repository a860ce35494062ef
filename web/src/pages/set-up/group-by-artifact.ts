import type { Schemas } from '../../../../src/generated/client-api.ts';

type Item = Pick<Schemas['DiscoveredItem'], 'artifact' | 'version' | 'matched_version'>;

/** An artifact with the versions at its places. */
export interface FoundArtifact {
  key: string;
  name: string;
  /** Distinct versions, in the order of the items. Without unknown ones. */
  versions: string[];
  places: number;
}

/** Groups items by artifact. The artifact with the most places comes first. */
export function groupByArtifact(items: readonly Item[]): FoundArtifact[] {
  return [...Map.groupBy(items, ({ artifact }) => artifact.key)]
    .map(([key, places]) => ({
      key,
      name: places[0]!.artifact.name,
      versions: [
        ...new Set(places.flatMap(({ matched_version, version }) => matched_version ?? version ?? [])),
      ],
      places: places.length,
    }))
    .toSorted((a, b) => b.places - a.places || a.name.localeCompare(b.name, 'en'));
}
