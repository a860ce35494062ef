import { applicationCatalogue } from './application-catalogue.ts';
import type { CatalogueEntry } from './catalogue-entry.ts';
import { clusterCatalogue } from './cluster-catalogue.ts';
import { dataCatalogue } from './data-catalogue.ts';
import { operationsCatalogue } from './operations-catalogue.ts';

/** Software that many installations follow, group by group. Discovery finds the sources of tools here. */
export const catalogue: readonly CatalogueEntry[] = [
  ...clusterCatalogue,
  ...dataCatalogue,
  ...operationsCatalogue,
  ...applicationCatalogue,
];
