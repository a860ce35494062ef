import type { Rule } from '../../../domain/rules/rule-type.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import {
  previewAlerts,
  type ReleaseCache,
  type Simulations,
  toRequestedRule,
  withFieldPrefix,
} from '../../monitoring/index.ts';
import {
  accept,
  describePlan,
  plannedComparisons,
  readAcceptOptions,
  readAndPlanAcceptance,
} from './accept-items.ts';
import { countExcludedItems, lockItems } from './acceptance-queries.ts';

export function acceptanceHandlers({
  db,
  releaseCache,
  simulations,
}: {
  db: Database;
  releaseCache: ReleaseCache;
  simulations: Simulations;
}): Handlers<'acceptDiscoveredItems'> {
  return {
    async acceptDiscoveredItems(request) {
      const { caller, body } = request;
      const { item_ids, filter, dry_run } = body;
      if ((item_ids === undefined) === (filter === undefined))
        throw invalidField('item_ids', 'specify either item_ids or filter');
      const unstoredRule = await readUnstoredRule(body);
      const result = await transaction(db, async (tx) => {
        const selectedIds = [...new Set(item_ids)];
        const selected = item_ids === undefined ? { filter: filter ?? {} } : { ids: selectedIds };
        const options = await readAcceptOptions(tx, caller.organizationId, {
          ruleId: body.rule_id,
          labels: body.labels,
          unstoredRule,
        });
        const { items, remaining } = await lockItems(tx, caller.organizationId, selected);
        const acceptance = await readAndPlanAcceptance(tx, caller.organizationId, items, options);
        const accepted = dry_run
          ? describePlan(items, acceptance, options)
          : await accept(tx, request, items, options, acceptance);
        const others =
          filter === undefined
            ? { otherRoles: 0, ignored: 0 }
            : await countExcludedItems(tx, caller.organizationId, filter);
        const found = new Set(items.map(({ id }) => id));
        const notFoundIds = selectedIds.filter((id) => !found.has(id));
        return {
          ...accepted,
          items: [...accepted.items, ...notFoundIds.map(notFound)],
          remaining,
          others,
          comparisons: plannedComparisons(items, acceptance, options),
        };
      });
      const { items, created, hostsWithoutCredential, remaining, others } = result;
      const { known, unknown } = result.comparisons;
      // Loading releases can take seconds, so the locks of the transaction are released first.
      const alerts = dry_run
        ? await previewAlerts(db, releaseCache, caller.organizationId, known, unstoredRule)
        : null;
      const typicalMessages =
        dry_run && known.length > 0
          ? await simulateMessages(caller.organizationId, known, unstoredRule)
          : null;
      const count = (outcome: string) => items.filter((item) => item.outcome === outcome).length;
      return {
        status: 200,
        body: {
          dry_run,
          items,
          created,
          remaining_count: remaining,
          other_role_count: others.otherRoles,
          ignored_count: others.ignored,
          alerts: alerts && { ...alerts, unknown: alerts.unknown + unknown },
          typical_messages: typicalMessages,
          accepted_count: count('accepted'),
          rejected_count: count('rejected'),
          hosts_without_credential: hostsWithoutCredential,
        },
      };
    },
  };

  /** Returns null if too many simulations are running, because the rest of the preview doesn't depend on the result. */
  async function simulateMessages(
    organizationId: number,
    comparisons: PlannedComparison[],
    unstoredRule: Rule | null,
  ) {
    try {
      return await simulations.share('acceptance', { organizationId, comparisons, unstoredRule });
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'rate_limited' || error.code === 'unavailable'))
        return null;
      throw error;
    }
  }
}

/** Returns the rule of a dry run that isn't stored, or null if there's none. Throws 400 if it's invalid. */
async function readUnstoredRule({
  rule,
  rule_id,
  dry_run,
}: Schemas['AcceptDiscoveredItemsRequest']): Promise<Rule | null> {
  if (rule === undefined) return null;
  if (!dry_run) throw invalidField('rule', 'is only allowed in a dry run');
  if (rule_id !== undefined) throw invalidField('rule', "can't be combined with rule_id");
  return withFieldPrefix('rule', () => toRequestedRule(rule));
}

type PlannedComparison = ReturnType<typeof plannedComparisons>['known'][number];

function notFound(itemId: number): Schemas['AcceptedItem'] {
  return {
    item_id: itemId,
    outcome: 'rejected',
    message: 'The item was not found.',
    name: null,
    labels: null,
    label_sources: null,
    proposal: null,
    gather_job: null,
    mirror_gather_job: null,
    scrape_job_id: null,
    alert_config_id: null,
  };
}
