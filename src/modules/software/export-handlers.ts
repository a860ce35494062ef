import { randomUUID } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import type { DeployedSoftware, VersionStatus } from '../../domain/bom/fleet-bom.ts';
import { ownValue } from '../../domain/json/own-value.ts';
import { openVex } from '../../domain/vulnerabilities/open-vex.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { TimeSlices } from '../../platform/time-slices.ts';
import { readSettings, type SettingValues } from '../settings/index.ts';
import {
  type FleetRow,
  listFleet,
  listIgnoredVulnerabilities,
  maxExported,
  readExportContext,
} from './fleet-queries.ts';

interface ExportDeps {
  db: Database;
  /** Public URL of the installation, without a trailing slash. */
  baseUrl: string;
}

/** Creates the handlers that export deployed software and ignored vulnerabilities in the formats of other tools. */
export function exportHandlers({
  db,
  baseUrl,
}: ExportDeps): Handlers<'exportSoftwareBom' | 'exportIgnoredVulnerabilities'> {
  return {
    async exportSoftwareBom({ caller, query, signal }) {
      const { organizationId } = caller;
      const settings = await readSettings(db, organizationId);
      const { now, organizationName } = await readExportContext(db, organizationId);
      const rows = await listFleet(db, organizationId, query.label);
      assertExportable(rows, 'deployed versions');
      // Only exports need the library, so it's loaded with the first export.
      const { fleetBom } = await import('../../domain/bom/fleet-bom.ts');
      const context = {
        serialNumber: `urn:uuid:${randomUUID()}`,
        programVersion: packageJson.version,
        organizationName,
        now,
      };
      const software = rows.map((row) => toDeployedSoftware(row, settings));
      const body = await new TimeSlices(signal).run(fleetBom(context, software));
      return { status: 200, body: body as Schemas['SoftwareBom'] };
    },

    async exportIgnoredVulnerabilities({ caller, query, signal }) {
      const { organizationId } = caller;
      const { now, organizationName } = await readExportContext(db, organizationId);
      const rows = await listIgnoredVulnerabilities(db, organizationId, query.label);
      assertExportable(rows, 'ignored vulnerabilities');
      const context = {
        id: `urn:uuid:${randomUUID()}`,
        author: organizationName,
        tooling: `Pacekeeper ${packageJson.version}`,
        now,
      };
      const ignored = rows.map(({ scrape_job_id, ...row }) => ({
        ...row,
        pageUrl: `${baseUrl}/software/${scrape_job_id}`,
      }));
      const body = await new TimeSlices(signal).run(openVex(context, ignored));
      return { status: 200, body };
    },
  };
}

/**
 * Throws if a document would have too many entries, because a document that lacks some of them would look
 * complete.
 */
function assertExportable(rows: readonly unknown[], what: string): void {
  if (rows.length > maxExported)
    throw invalidField(
      'label',
      `must select at most ${maxExported.toLocaleString('en-US')} ${what}. Export them label by label`,
    );
}

function toDeployedSoftware(row: FleetRow, settings: SettingValues): DeployedSoftware {
  const labelOf = (key: string) => ownValue(row.labels, key) ?? null;
  const status = statusOf(row);
  const isLastKnown = status === 'last_known';
  return {
    scrapeJobId: row.id,
    name: row.name,
    version: row.version,
    artifacts: row.artifacts,
    status,
    isImage: row.is_image,
    service: labelOf(settings['environments.service_label']),
    component: labelOf(settings['environments.component_label']),
    environment: labelOf(settings['environments.label']),
    owner: labelOf(settings['notification.owner_label']),
    lastSeenAt: row.version === null ? null : (row.gap_since ?? row.last_seen_at),
    lastKnownSince: isLastKnown ? (row.gap_since ?? row.unconfirmed_since) : null,
    lastKnownReason: isLastKnown ? (row.gap_reason ?? row.unconfirmed_reason) : null,
  };
}

function statusOf({ version, gap_since, unconfirmed_since, is_manual }: FleetRow): VersionStatus {
  if (version === null) return 'unknown';
  if (gap_since !== null || unconfirmed_since !== null) return 'last_known';
  return is_manual ? 'reported' : 'confirmed';
}
