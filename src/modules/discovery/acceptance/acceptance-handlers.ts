import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { accept, describePlan, planAccept, readAcceptOptions } from './accept-items.ts';
import { lockItems } from './acceptance-queries.ts';

export function acceptanceHandlers({
  db,
  wakeUps,
}: {
  db: Database;
  wakeUps: WakeUps;
}): Handlers<'acceptDiscoveredItems'> {
  return {
    async acceptDiscoveredItems(request) {
      const { caller, body } = request;
      const { item_ids, filter, dry_run } = body;
      if ((item_ids === undefined) === (filter === undefined))
        throw invalidField('item_ids', 'specify either item_ids or filter');
      const result = await transaction(db, async (tx) => {
        const selectedIds = [...new Set(item_ids)];
        const selected = item_ids === undefined ? { filter: filter ?? {} } : { ids: selectedIds };
        const options = await readAcceptOptions(tx, caller.organizationId, {
          ruleId: body.rule_id,
          labels: body.labels,
        });
        const { items, remaining } = await lockItems(tx, caller.organizationId, selected);
        const acceptance = await planAccept(tx, caller.organizationId, items, options);
        const accepted = dry_run
          ? describePlan(items, acceptance, options)
          : await accept(tx, wakeUps, request, items, options, acceptance);
        const found = new Set(items.map(({ id }) => id));
        const unknown = selectedIds.filter((id) => !found.has(id));
        return { ...accepted, items: [...accepted.items, ...unknown.map(notFound)], remaining };
      });
      const { items, created, hostsWithoutCredential, remaining } = result;
      const count = (outcome: string) => items.filter((item) => item.outcome === outcome).length;
      return {
        status: 200,
        body: {
          dry_run,
          items,
          created,
          remaining_count: remaining,
          accepted_count: count('accepted'),
          rejected_count: count('rejected'),
          hosts_without_credential: hostsWithoutCredential,
        },
      };
    },
  };
}

function notFound(itemId: number): Schemas['AcceptedItem'] {
  return {
    item_id: itemId,
    outcome: 'rejected',
    message: 'The item was not found.',
    name: null,
    proposal: null,
    gather_job: null,
    scrape_job_id: null,
    alert_config_id: null,
  };
}
