import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/index.ts';
import { type ContractOperation, contractOperations, resolveRef } from './contract-operations.ts';

/** A variant of a list request: `GET` with this path and query. */
export interface ListVariant {
  operation: ContractOperation;
  /** Display name: `listAlerts?severity=high`. */
  name: string;
  url: string;
}

/** Sample values of an organization for path and filter parameters. */
type Samples = Readonly<Record<string, string | undefined>>;

/**
 * Returns every list of the contract without parameters, with each sort, and with each value of each filter.
 * Text searches are excluded, because they read everything that they search.
 */
export function listVariants(samples: Samples): ListVariant[] {
  const lists = contractOperations.filter(
    ({ id, method, side }) =>
      side === 'client' && method === 'GET' && /^list|Summary$|^get(?:Overview|Today)$/.test(id),
  );
  return lists.flatMap((operation) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const ofResource = /\/client\/([a-z-]+)\//.exec(operation.path)?.[1] ?? '';
      return samples[name === 'id' ? ofResource : name] ?? '1';
    });
    const queries = operation.parameters
      .filter((parameter) => parameter.in === 'query' && !['limit', 'offset', 'q'].includes(parameter.name))
      .flatMap(({ name, schema }) =>
        valuesOf(operation, name, schema, samples).map((value) => `${name}=${encodeURIComponent(value)}`),
      );
    return ['', ...queries].map((query) => ({
      operation,
      name: query === '' ? operation.id : `${operation.id}?${query}`,
      url: query === '' ? path : `${path}?${query}`,
    }));
  });
}

function valuesOf(
  operation: ContractOperation,
  name: string,
  schema: ContractOperation['parameters'][number]['schema'],
  samples: Samples,
): string[] {
  const { enum: values, type } = resolveRef(operation.side, schema);
  if (Array.isArray(values)) return values.map(String);
  if (type === 'boolean') return ['true', 'false'];
  const sample = samples[name];
  return sample === undefined ? [] : [sample];
}

/** Returns the first resource of each kind in an organization, and values that some of its rows contain. */
export async function readSamples(db: Database, organizationId: number): Promise<Samples> {
  const { rows } = await sql<Record<string, string>>`
    SELECT j.id::text AS "gather-jobs", j.id::text AS gather_job_id, j.artifact_name, s.id::text AS "scrape-jobs",
      s.id::text AS scrape_job_id, r.id::text AS rule_id, c.id::text AS alert_config_id,
      c.id::text AS "alert-configs", a.id::text AS alerts,
      a.id::text AS alert_id, n.id::text AS channel_id,
      -- The ID of an upgrade is derived from its gather job and its version.
      (SELECT u.gather_job_id || '-' || left(md5('v' || u.latest_version), 16) FROM alert_configs u
        WHERE u.organization_id = o.id AND u.state IN ('ok', 'stale') AND u.latest_version IS NOT NULL ORDER BY u.id LIMIT 1) AS upgrade_id,
      h.id::text AS "helm-sync-jobs", h.id::text AS helm_sync_job_id,
      d.id::text AS "discovery-jobs", d.id::text AS discovery_job_id,
      'prod' AS environment, 'service-1' AS service, 'tool:terraform' AS artifact, 'team=team-' || o.id || '-0' AS label, 'alert.created' AS event_type,
      to_char(pacekeeper_now() - interval '30 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS since,
      to_char(pacekeeper_now() - interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS until, 'member.updated' AS action, 'user:7' AS actor
    FROM organizations o
    JOIN LATERAL (SELECT * FROM gather_jobs WHERE organization_id = o.id ORDER BY id LIMIT 1) AS j ON true
    JOIN LATERAL (SELECT * FROM scrape_jobs WHERE organization_id = o.id ORDER BY id LIMIT 1) AS s ON true
    JOIN LATERAL (SELECT * FROM rules WHERE organization_id = o.id ORDER BY id LIMIT 1) AS r ON true
    JOIN LATERAL (SELECT * FROM alert_configs WHERE organization_id = o.id ORDER BY id LIMIT 1) AS c ON true
    JOIN LATERAL (SELECT * FROM alerts WHERE organization_id = o.id ORDER BY id LIMIT 1) AS a ON true
    JOIN LATERAL (SELECT * FROM notification_channels WHERE organization_id = o.id ORDER BY id LIMIT 1) AS n ON true
    JOIN LATERAL (SELECT * FROM helm_sync_jobs WHERE organization_id = o.id ORDER BY id LIMIT 1) AS h ON true
    JOIN LATERAL (SELECT * FROM discovery_jobs WHERE organization_id = o.id ORDER BY id LIMIT 1) AS d ON true
    WHERE o.id = ${organizationId}`.execute(db);
  return rows[0] ?? {};
}
