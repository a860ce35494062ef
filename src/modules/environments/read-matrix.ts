import { setImmediate as pause } from 'node:timers/promises';
import { type CurrentVersion, currentRelations } from '../../domain/environments/current-relations.ts';
import { orderEnvironments } from '../../domain/environments/order-environments.ts';
import type { Relation } from '../../domain/environments/relation.ts';
import { jobsWithHistory, type ServiceCells, serviceCells } from '../../domain/environments/service-cells.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, type Page, type PageRequest, pageOfItems } from '../../platform/database/index.ts';
import { type ResultCache, readRevision } from '../counts/index.ts';
import {
  type CellConfig,
  type DifferingService,
  listCellConfigs,
  listChanges,
  listDifferingServices,
  listEnvironments,
  listJobsOfServices,
  listServices,
  type ServiceFilters,
  type ServiceKey,
  serviceKey,
} from './environment-queries.ts';
import { type EnvironmentSettings, readEnvironmentSettings } from './environment-settings.ts';

type Matrix = Schemas['EnvironmentMatrix'];
type Drift = 'any' | 'behind' | 'ahead' | 'different' | 'missing';

export interface MatrixFilters extends ServiceFilters {
  drift?: Drift | undefined;
  /** Names of environments, in any order. If omitted, all environments are included. */
  environments?: readonly string[] | undefined;
}

/** Number of services whose history is compared at a time. */
const batchSize = 200;
/**
 * Maximum number of services with differing versions that are compared in search of drift. If there are more, the total
 * isn't exact.
 */
const maxSearched = 5_000;
/** Maximum number of version changes that are read for one batch or page. */
const maxChanges = 20_000;

type Row = ServiceKey & ServiceCells & { isComplete: boolean };

/** Returns the services of a page, compared across environments. */
export async function readMatrix(
  db: Database,
  kept: ResultCache,
  organizationId: number,
  filters: MatrixFilters,
  page: PageRequest,
): Promise<Matrix> {
  const [settings, { revision }] = await Promise.all([
    readEnvironmentSettings(db, organizationId),
    readRevision(db, [organizationId], 'deployed_changes'),
  ]);
  const about = (...parts: unknown[]) => ({ organizationId, revision, about: [settings.key, ...parts] });
  const { limit, offset, cursor } = page;
  const { environments, rows, next, ...rest } = await kept.read(
    about('matrix', filters, { limit, offset, after: cursor?.after ?? null }),
    async () => {
      const [{ names, isComplete }, listed] = await Promise.all([
        listEnvironments(db, organizationId, settings),
        filters.drift === undefined ? listServices(db, organizationId, settings, filters, page) : null,
      ]);
      const environments = orderEnvironments(names, settings.order).filter(
        (name) => filters.environments?.includes(name) ?? true,
      );
      const reader = { db, organizationId, settings, environments };
      const search = () => searchDrift(reader, filters, filters.drift!);
      const services = listed ?? pageOf(await kept.read(about('drift', filters), search), page);
      return {
        ...services,
        environments,
        is_complete: isComplete,
        rows: await compareServices(reader, services.items),
        next: cursor?.next ?? null,
      };
    },
  );
  // Set the cursor from the result, because the result can come from the cache, where another request stored
  // it.
  if (cursor) cursor.next = next;
  const configs = await listCellConfigs(db, organizationId, rows.flatMap(idsOf));
  return { ...rest, environments, items: toItems(rows, configs) };
}

interface Reader {
  db: Database;
  organizationId: number;
  settings: EnvironmentSettings;
  environments: readonly string[];
}

interface Drifted {
  found: readonly ServiceKey[];
  isAll: boolean;
}

function pageOf({ found, isAll }: Drifted, page: PageRequest): Page<ServiceKey> {
  const { limit, offset } = page;
  const items = pageOfItems(found, page, keyOfService);
  return { items, total: found.length, total_is_exact: isAll, limit, offset };
}

/** Identifies a service and its component, whose names can't contain NUL. */
export function keyOfService({ service, component }: ServiceKey): string {
  return `${service}\0${component}`;
}

/** Compares the services with differences in batches, up to `maxSearched`. */
async function searchDrift(reader: Reader, filters: ServiceFilters, drift: Drift): Promise<Drifted> {
  const { db, organizationId, settings, environments } = reader;
  const differing = await listDifferingServices(db, organizationId, settings, filters, {
    required: drift === 'any' || drift === 'missing' ? environments : [],
    limit: maxSearched + 1,
  });
  const drifted: ServiceKey[] = [];
  for (let start = 0; start < Math.min(differing.length, maxSearched); start += batchSize) {
    const batch = differing.slice(start, Math.min(start + batchSize, maxSearched));
    drifted.push(...(await filterDrifted(reader, drift, batch)));
    await pause();
  }
  // Drop the versions, because the cached result doesn't use them.
  const found = drifted.map(({ service, component }) => ({ service, component }));
  return { found, isAll: differing.length <= maxSearched };
}

async function filterDrifted(
  reader: Reader,
  drift: Drift,
  services: readonly DifferingService[],
): Promise<DifferingService[]> {
  const relations = new Map(
    services.map((service) => [service, relationsFor(drift, reader.environments, service.versions)]),
  );
  // Compare the history only of the few services that are still undecided, because their versions are commits or can't
  // be ordered.
  const undecided = services.filter((service) => relations.get(service) === null);
  const compared = await compareServices(reader, undecided);
  for (const [index, { cells }] of compared.entries()) {
    relations.set(
      undecided[index]!,
      cells.map(({ relation }) => relation),
    );
  }
  return services.filter((service) => isDrifted(relations.get(service)!, drift));
}

/**
 * Returns the relations between the environments of a service, or `null` if they can't be determined without the
 * history.
 */
function relationsFor(
  drift: Drift,
  environments: readonly string[],
  versions: readonly CurrentVersion[],
): readonly Relation[] | null {
  const shown = versions.filter(({ environment }) => environments.includes(environment));
  const isMissing = new Set(shown.map(({ environment }) => environment)).size < environments.length;
  if (drift === 'missing') return isMissing ? ['missing'] : [];
  return isMissing && drift === 'any' ? ['missing'] : currentRelations(environments, shown);
}

function isDrifted(relations: readonly Relation[], drift: Drift): boolean {
  return relations.some((relation) =>
    drift === 'any' ? relation !== 'first' && relation !== 'same' : relation === drift,
  );
}

async function compareServices(
  { db, organizationId, settings, environments }: Reader,
  services: readonly ServiceKey[],
): Promise<Row[]> {
  const byService = await listJobsOfServices(
    db,
    organizationId,
    settings,
    services,
    environments,
    settings.maxServiceJobs,
  );
  const withHistory = [...byService.values()].flatMap(({ jobs }) => jobsWithHistory(environments, jobs));
  const changes = await listChanges(
    db,
    organizationId,
    withHistory.map(({ scrapeJobId }) => scrapeJobId),
    maxChanges,
  );
  return services.map(({ service, component }) => {
    const { jobs, isComplete } = byService.get(serviceKey({ service, component })) ?? {
      jobs: [],
      isComplete: true,
    };
    return {
      service,
      component,
      isComplete,
      ...serviceCells(environments, jobs, (id) => changes.get(id) ?? []),
    };
  });
}

function idsOf({ cells }: Pick<Row, 'cells'>): number[] {
  return cells.flatMap(({ versions }) => versions.flatMap(({ scrapeJobIds }) => scrapeJobIds));
}

function toItems(rows: readonly Row[], configs: readonly CellConfig[]): Matrix['items'] {
  const byJob = Map.groupBy(configs, ({ scrape_job_id }) => scrape_job_id);
  const ranks = new Map(configs.map((config, place) => [config.id, place]));
  return rows.map(({ service, component, cells, newestVersion, isComplete }) => ({
    service,
    component: component === '' ? null : component,
    is_complete: isComplete,
    newest_version: newestVersion,
    cells: cells.map((cell) => {
      const cellConfigs = idsOf({ cells: [cell] })
        .flatMap((id) => byJob.get(id) ?? [])
        .toSorted((a, b) => ranks.get(b.id)! - ranks.get(a.id)!);
      const drift = cellConfigs.find(({ is_drift }) => is_drift);
      return {
        environment: cell.environment,
        versions: cell.versions.map(({ version, scrapeJobIds, sinceMs }) => ({
          version,
          count: scrapeJobIds.length,
          scrape_job_ids: [...scrapeJobIds],
          since: new Date(sinceMs).toISOString(),
        })),
        relation: cell.relation,
        compared_with: cell.comparedWith,
        releases_behind: cell.releasesBehind,
        behind_since: cell.behindSinceMs === null ? null : new Date(cell.behindSinceMs).toISOString(),
        alert_config_id: drift?.id ?? null,
        severity: drift?.severity ?? null,
        upstream: toUpstream(cellConfigs.filter(({ is_drift }) => !is_drift)),
      };
    }),
  }));
}

/**
 * Summarizes comparisons with upstream artifacts, worst first. The numbers of releases and days come from the
 * comparison that is furthest behind, which isn't necessarily the one with the highest severity.
 */
function toUpstream(configs: readonly CellConfig[]): Matrix['items'][number]['cells'][number]['upstream'] {
  const [worst] = configs;
  if (worst === undefined) return null;
  const furthest = configs.reduce((most, config) =>
    (config.releases_behind ?? -1) > (most.releases_behind ?? -1) ? config : most,
  );
  return {
    alert_config_id: worst.id,
    state: worst.state,
    severity: worst.severity,
    latest_version: furthest.latest_version,
    releases_behind: furthest.releases_behind,
    days_behind: furthest.days_behind,
  };
}
