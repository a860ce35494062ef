import { dayMs } from '../../domain/rules/stored-lag.ts';
import { nearestName } from '../../domain/text/nearest-name.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, transaction } from '../../platform/database/index.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { readSettings } from '../settings/index.ts';
import {
  listMeasurements,
  listPoints,
  listPointsOfLabel,
  type MeasuredPairRow,
  type PointGroup,
  readFreshnessState,
} from './freshness-queries.ts';
import { checkTarget, targetEdits, toTarget } from './targets/target-edits.ts';
import { findTarget, listTargets } from './targets/target-queries.ts';

type FreshnessOperations =
  | 'getFreshness'
  | 'listFreshnessThings'
  | 'listFreshnessTargets'
  | 'createFreshnessTarget'
  | 'getFreshnessTarget'
  | 'updateFreshnessTarget'
  | 'deleteFreshnessTarget';

const maxDays = 1_100;
const yearDays = 365;
/** Earliest valid date. No data exists before it. */
const firstDate = '2000-01-01';
/** Age in days of the point that is returned as `before`. */
const trendDays = 90;

export function freshnessHandlers({ db }: { db: Database }): Handlers<FreshnessOperations> {
  return {
    async getFreshness({ caller, query }) {
      const { organizationId } = caller;
      const { metric = 'libyears', group_by: groupBy } = query;
      const state = await readFreshnessState(db, organizationId);
      const labelKeys = (await readSettings(db, organizationId))['freshness.labels'];
      const until = query.until ?? state.today;
      const since = query.since ?? addDays(until, 1 - yearDays);
      if (until < firstDate) throw invalidField('until', `must be ${firstDate} or later`);
      if (since > until) throw invalidField('since', 'must not be after until');
      if (since < addDays(until, -maxDays)) {
        throw invalidField('since', `must be at most ${maxDays} days before until`);
      }
      if (groupBy !== undefined) assertLabelKey('group_by', groupBy, labelKeys);
      const group = await pointGroup(query, labelKeys, organizationId);
      const before = addDays(state.today, -trendDays);
      const points = await listPoints(db, organizationId, metric, group, { since, until });
      const [now] = (
        await listPoints(db, organizationId, metric, group, {
          since: addDays(state.today, -1),
          until: state.today,
        })
      ).slice(-1);
      const [earlier] = await listPoints(db, organizationId, metric, group, { since: before, until: before });
      return {
        status: 200,
        body: {
          metric,
          from: since,
          to: until,
          known_from: state.known_from,
          measured_at: state.measured_at?.toISOString() ?? null,
          is_complete: state.is_complete,
          label_keys: [...labelKeys],
          now: now ?? null,
          before: earlier ?? null,
          points,
          groups:
            groupBy === undefined
              ? []
              : await readGroups(organizationId, metric, groupBy, {
                  now: query.until ?? now?.date ?? state.today,
                  before: query.since ?? before,
                }),
        },
      };
    },

    async listFreshnessThings({ caller, query }) {
      const page = await listMeasurements(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toThing) } };
    },

    async listFreshnessTargets({ caller, query }) {
      const page = await listTargets(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toTarget) } };
    },

    async createFreshnessTarget(request) {
      await checkTarget(request.body);
      const [row] = await transaction(db, (tx) => targetEdits.create(tx, request, [request.body]));
      return { status: 201, body: toTarget(row!) };
    },

    async getFreshnessTarget({ caller, path }) {
      const row = await findTarget(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toTarget(row) };
    },

    async updateFreshnessTarget(request) {
      const { path, body } = request;
      const row = await transaction(db, (tx) => targetEdits.update(tx, request, path.id, body));
      return { status: 200, body: toTarget(row) };
    },

    async deleteFreshnessTarget(request) {
      await transaction(db, (tx) => targetEdits.delete(tx, request, request.path.id));
      return { status: 204 };
    },
  };

  async function pointGroup(
    { label, target_id: targetId }: { label?: string | undefined; target_id?: number | undefined },
    labelKeys: readonly string[],
    organizationId: number,
  ): Promise<PointGroup> {
    if (targetId !== undefined) {
      if (label !== undefined) throw invalidField('target_id', "can't be combined with label");
      if (!(await findTarget(db, organizationId, targetId))) {
        throw invalidField('target_id', 'freshness target not found');
      }
      return { grouping: 'target', key: '', value: String(targetId) };
    }
    if (label === undefined) return { grouping: 'all', key: '', value: '' };
    const equals = label.indexOf('=');
    const key = label.slice(0, equals);
    assertLabelKey('label', key, labelKeys);
    return { grouping: 'label', key, value: label.slice(equals + 1) };
  }

  async function readGroups(
    organizationId: number,
    metric: Schemas['FreshnessMetric'],
    key: string,
    dates: { now: string; before: string },
  ): Promise<Schemas['FreshnessGroup'][]> {
    const now = await listPointsOfLabel(db, organizationId, metric, key, dates.now);
    const before = await listPointsOfLabel(db, organizationId, metric, key, dates.before);
    return [...now]
      .map(([value, point]) => ({
        value: value === '' ? null : value,
        now: point,
        before: before.get(value) ?? null,
      }))
      .sort((a, b) => b.now.sum - a.now.sum || (a.value ?? '').localeCompare(b.value ?? ''));
  }
}

function assertLabelKey(field: string, key: string, labelKeys: readonly string[]): void {
  if (labelKeys.includes(key)) return;
  const near = nearestName(key, labelKeys);
  throw invalidField(
    field,
    labelKeys.length === 0
      ? 'must be a label in the setting freshness.labels, which is empty; add the label there first'
      : `must be one of the labels in the setting freshness.labels: ${labelKeys.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`,
  );
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

function toThing({
  alert_config_id,
  name,
  exposed_since,
  ...row
}: MeasuredPairRow): Schemas['FreshnessThing'] {
  return {
    id: alert_config_id,
    alert_config: { id: alert_config_id, name },
    ...row,
    exposed_since: exposed_since?.toISOString() ?? null,
  };
}
