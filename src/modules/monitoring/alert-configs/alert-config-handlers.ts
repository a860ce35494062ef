import { isDeepStrictEqual } from 'node:util';
import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  hasSqlState,
  type Tx,
  transaction,
  type WakeUps,
} from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertMatch, type Handlers } from '../../../platform/http/index.ts';
import { deleteAlerts, relabelOpenAlert } from '../../alerts/index.ts';
import { recordEdit } from '../../audit/index.ts';
import { evaluationsDue, triggerEvaluation } from '../trigger-evaluation.ts';
import {
  type AlertConfigRow,
  type AlertConfigValues,
  type ComparedParts,
  deleteAlertConfigs,
  findAlertConfig,
  findExplanation,
  findSameParts,
  insertAlertConfig,
  listAlertConfigs,
  lockAlertConfig,
  lockReferences,
  type References,
  updateAlertConfig,
} from './alert-config-queries.ts';

type AlertConfigOperations =
  | 'listAlertConfigs'
  | 'createAlertConfig'
  | 'getAlertConfig'
  | 'updateAlertConfig'
  | 'deleteAlertConfig'
  | 'toggleAlertConfig'
  | 'getAlertConfigExplanation';

export function alertConfigHandlers({
  db,
  wakeUps,
}: {
  db: Database;
  wakeUps: WakeUps;
}): Handlers<AlertConfigOperations> {
  return {
    async listAlertConfigs({ caller, query }) {
      const page = await listAlertConfigs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toAlertConfig) } };
    },

    async createAlertConfig(request) {
      const { caller, body } = request;
      checkPattern(body.candidate_pattern);
      const row = await distinctly(async (tx) => {
        const gatherOrganizationId = (await checkReferences(tx, caller.organizationId, body))!;
        const parts = {
          scrape_job_id: body.scrape_job_id,
          gather_job_id: body.gather_job_id,
          rule_id: body.rule_id,
          candidate_pattern: body.candidate_pattern,
        };
        await assertDistinct(tx, caller.organizationId, parts, { ordinal: body.ordinal });
        const id = await insertAlertConfig(tx, caller.organizationId, {
          ...parts,
          name: body.name,
          gather_organization_id: gatherOrganizationId,
          labels: body.labels,
          ordinal: body.ordinal ?? 0,
          ignored_versions: body.ignored_versions,
          counted_versions: body.counted_versions,
          is_active: body.is_active,
        });
        // It is due from the start.
        wakeUps.wakeAfterCommit(tx, evaluationsDue.name);
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/alert_config/${id}/created`);
        const created = (await findAlertConfig(tx, caller.organizationId, id))!;
        await recordEdit(tx, request, 'alert_config', { after: toAlertConfig(created) });
        return created;
      });
      return { status: 201, body: toAlertConfig(row) };
    },

    async getAlertConfig({ caller, path }) {
      const row = await findAlertConfig(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toAlertConfig(row) };
    },

    async updateAlertConfig(request) {
      const { body } = request;
      checkPattern(body.candidate_pattern);
      const row = await changeConfig(request, async (tx) => {
        // Before the configuration is locked: whoever deletes a job or a rule locks in this order.
        const gatherOrganizationId = await checkReferences(tx, request.caller.organizationId, body);
        const values: Partial<AlertConfigValues> = {};
        if (body.name !== undefined) values.name = body.name;
        if (body.labels !== undefined) values.labels = body.labels;
        if (body.candidate_pattern !== undefined) values.candidate_pattern = body.candidate_pattern;
        if (body.ignored_versions !== undefined) values.ignored_versions = body.ignored_versions;
        if (body.counted_versions !== undefined) values.counted_versions = body.counted_versions;
        if (body.is_active !== undefined) values.is_active = body.is_active;
        if (body.scrape_job_id !== undefined) values.scrape_job_id = body.scrape_job_id;
        if (body.rule_id !== undefined) values.rule_id = body.rule_id;
        if (body.gather_job_id !== undefined && gatherOrganizationId !== null) {
          values.gather_job_id = body.gather_job_id;
          values.gather_organization_id = gatherOrganizationId;
        }
        return async (before) => {
          const parts = partsOf({ ...before, ...values });
          const isSame = isDeepStrictEqual(parts, partsOf(before));
          if (isSame && (body.ordinal === undefined || body.ordinal === before.ordinal)) return values;
          const { organizationId } = request.caller;
          await assertDistinct(tx, organizationId, parts, { ordinal: body.ordinal, otherThan: before.id });
          return { ...values, ordinal: body.ordinal ?? 0 };
        };
      });
      return { status: 200, body: toAlertConfig(row) };
    },

    async toggleAlertConfig(request) {
      const row = await changeConfig(request, async () => async (before) => ({
        is_active: !before.is_active,
      }));
      return { status: 200, body: toAlertConfig(row) };
    },

    async deleteAlertConfig(request) {
      const { caller, path } = request;
      await transaction(db, async (tx) => {
        await lockAlertConfig(tx, caller.organizationId, path.id);
        const row = await findAlertConfig(tx, caller.organizationId, path.id);
        if (!row) throw notFound();
        assertMatch(request, row);
        await deleteAlerts(tx, caller.organizationId, { alertConfigIds: [row.id] }, caller.actor, wakeUps);
        const left = await deleteAlertConfigs(tx, caller.organizationId, { ids: [row.id] }, wakeUps);
        await recordEdit(tx, request, 'alert_config', { before: toAlertConfig(row), detail: { ...left } });
        wakeUps.wakeAfterCommit(tx, `changes:${caller.organizationId}/alert_config/${row.id}/deleted`);
      });
      return { status: 204 };
    },

    async getAlertConfigExplanation({ caller, path }) {
      const found = await findExplanation(db, caller.organizationId, path.id);
      if (!found) throw notFound();
      const body = {
        alert_config_id: path.id,
        evaluated_at: found.last_evaluated_at?.toISOString() ?? null,
        explanation: (found.explanation ?? null) as Schemas['AlertConfigExplanation']['explanation'],
      };
      return { status: 200, body };
    },
  };

  /** Changes a configuration under its lock and has it evaluated. What has to come before the lock is prepared first. */
  async function changeConfig(
    request: ApiRequest<'updateAlertConfig' | 'toggleAlertConfig'>,
    prepare: (tx: Tx) => Promise<(before: AlertConfigRow) => Promise<Partial<AlertConfigValues>>>,
  ): Promise<AlertConfigRow> {
    const { path } = request;
    const { organizationId } = request.caller;
    return distinctly(async (tx) => {
      const change = await prepare(tx);
      await lockAlertConfig(tx, organizationId, path.id);
      const before = await findAlertConfig(tx, organizationId, path.id);
      if (!before) throw notFound();
      assertMatch(request, before);
      const values = await change(before);
      await updateAlertConfig(tx, organizationId, before.id, values);
      if (values.labels) await relabelOpenAlert(tx, organizationId, before.id, values.labels, wakeUps);
      const after = (await findAlertConfig(tx, organizationId, before.id))!;
      await triggerEvaluation(tx, wakeUps, {
        organizationId,
        alertConfigId: before.id,
        reconfigured:
          after.scrape_job_id !== before.scrape_job_id ||
          after.gather_job_id !== before.gather_job_id ||
          after.rule_id !== before.rule_id,
        clearMute: after.is_active !== before.is_active,
      });
      await recordEdit(tx, request, 'alert_config', {
        before: toAlertConfig(before),
        after: toAlertConfig(after),
      });
      wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/alert_config/${before.id}`);
      return after;
    });
  }

  /** Retries a transaction once if another one stores the same comparison first. The retry finds and reports that one. */
  async function distinctly<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await transaction(db, work);
    } catch (error) {
      if (!hasSqlState(error, '23505')) throw error;
    }
    try {
      return await transaction(db, work);
    } catch (error) {
      if (hasSqlState(error, '23505')) throw new ApiError('conflict', undefined, { cause: error });
      throw error;
    }
  }
}

function partsOf({ scrape_job_id, gather_job_id, rule_id, candidate_pattern }: ComparedParts): ComparedParts {
  return { scrape_job_id, gather_job_id, rule_id, candidate_pattern };
}

/** Returns 409 if another configuration has the same comparison and, if given, the same ordinal. */
async function assertDistinct(
  tx: Tx,
  organizationId: number,
  parts: ComparedParts,
  except: { ordinal: number | undefined; otherThan?: number },
): Promise<void> {
  const first = await findSameParts(tx, organizationId, parts, except);
  if (!first) return;
  const detail = `Alert configuration "${first.name}" (id ${first.id}) already compares these with the same rule and version filter.`;
  throw new ApiError('conflict', detail, { extra: { alert_config_ids: [first.id], alert_config_count: 1 } });
}

/**
 * Those that are given must exist. A thing of another organization is answered like one that never existed.
 *
 * @returns the organization of the gather job; null when none is given
 */
async function checkReferences(
  tx: Tx,
  organizationId: number,
  ids: { [Name in keyof References]?: number | undefined },
): Promise<number | null> {
  if (ids.scrape_job_id === undefined && ids.gather_job_id === undefined && ids.rule_id === undefined)
    return null;
  const found = await lockReferences(tx, organizationId, ids);
  if (ids.scrape_job_id !== undefined && !found.has_scrape_job)
    throw invalidField('scrape_job_id', 'scrape job not found');
  if (ids.gather_job_id !== undefined && found.gather_organization_id === null) {
    throw invalidField('gather_job_id', 'gather job not found');
  }
  if (ids.rule_id !== undefined && !found.has_rule) throw invalidField('rule_id', 'rule not found');
  return found.gather_organization_id;
}

function checkPattern(pattern: string | null | undefined): void {
  if (pattern == null) return;
  const result = compileCheapPattern(pattern);
  if (!result.ok) throw invalidField('candidate_pattern', result.message);
}

export function toAlertConfig(row: AlertConfigRow): Schemas['AlertConfig'] {
  const { scrape_job_name, gather_job_name, rule_name, gather_organization_id: _, ...rest } = row;
  return {
    ...rest,
    open_alert_count: row.active_alert_id === null ? 0 : 1,
    scrape_job: { id: row.scrape_job_id, name: scrape_job_name },
    gather_job: { id: row.gather_job_id, name: gather_job_name },
    rule: { id: row.rule_id, name: rule_name },
    behind_since: row.behind_since?.toISOString() ?? null,
    // A server of an earlier version may have written the one without the other.
    crossed_at: (row.severity === null ? null : row.crossed_at?.toISOString()) ?? null,
    last_evaluated_at: row.last_evaluated_at?.toISOString() ?? null,
    next_evaluation_at: row.next_evaluation_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
