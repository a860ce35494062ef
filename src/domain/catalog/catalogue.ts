import { applicationCatalogue } from './application-catalogue.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { clusterCatalogue } from './cluster-catalogue.ts';
import { dataCatalogue } from './data-catalogue.ts';
import { operationsCatalogue } from './operations-catalogue.ts';
import { type KnownTool, toolCatalogue } from './tool-catalogue.ts';

/** Software that many installations follow, group by group. */
export const catalogue: readonly CatalogueEntry[] = [
  ...clusterCatalogue,
  ...dataCatalogue,
  ...operationsCatalogue,
  ...applicationCatalogue,
];

/** The sources that discovery knows: the catalog and command-line tools. */
export const knownSources: readonly (CatalogueEntry | KnownTool)[] = [...catalogue, ...toolCatalogue];
