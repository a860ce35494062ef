import { applicationCatalogue } from './application-catalogue.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { clusterCatalogue } from './cluster-catalogue.ts';
import { dataCatalogue } from './data-catalogue.ts';
import { operationsCatalogue } from './operations-catalogue.ts';
import { type KnownTool, toolCatalogue } from './tool-catalogue.ts';

/** Software that many installations track, in groups. */
export const catalogue: readonly CatalogueEntry[] = [
  ...clusterCatalogue,
  ...dataCatalogue,
  ...operationsCatalogue,
  ...applicationCatalogue,
];

/** Known sources for discovery: the catalog and command-line tools. */
export const knownSources: readonly (CatalogueEntry | KnownTool)[] = [...catalogue, ...toolCatalogue];
