import { applicationCatalog } from './application-catalog.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import { clusterCatalog } from './cluster-catalog.ts';
import { dataCatalog } from './data-catalog.ts';
import { operationsCatalog } from './operations-catalog.ts';
import { type KnownTool, toolCatalog } from './tool-catalog.ts';

/** Software that many installations track, in groups. */
export const catalog: readonly CatalogEntry[] = [
  ...clusterCatalog,
  ...dataCatalog,
  ...operationsCatalog,
  ...applicationCatalog,
];

/** Known sources for discovery: the catalog and command-line tools. */
export const knownSources: readonly (CatalogEntry | KnownTool)[] = [...catalog, ...toolCatalog];
