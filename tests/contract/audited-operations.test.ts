import { afterAll, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import type { OperationId } from '../../src/generated/operations.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { startContractInbox } from './contract-inbox.ts';
import { contractOperations } from './contract-operations.ts';
import { withLoginProvider } from './contract-provider.ts';
import { buildWorld } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await withLoginProvider());
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });

/** Writes that don't edit a resource: they request work, record results, or have a separate activity log. */
const noEdits: readonly OperationId[] = [
  'runGatherJob',
  'runScrapeJob',
  'runHelmSyncJob',
  'runDiscoveryJob',
  // Leaves an entry only if an item awaits confirmation. Tested in
  // src/modules/discovery/discovery-jobs/discovery-job-handlers.test.ts.
  'confirmGoneItems',
  'evaluateRules',
  'setScrapeJobVersion',
  'previewGatherJob',
  'previewGatherSource',
  'previewDiscovery',
  'planConfiguration',
  // Leaves an entry for each completed change. Tested in tests/pipeline/whole-configurations.test.ts.
  'applyConfiguration',
  // Leaves an entry for each resource that it creates. Tested in tests/pipeline/environment-drift.test.ts.
  'compareEnvironments',
  'previewScrapeJob',
  'previewScrapeSource',
  'previewSilence',
  'validateRegex',
  'resolveAlert',
  'acknowledgeAlert',
  'unacknowledgeAlert',
  'bulkAcknowledgeAlerts',
  'changeAlerts',
  'changeUpgrade',
  // Leaves an entry for each change. Tested in src/modules/software/change-software.test.ts.
  'changeSoftware',
  'commentOnAlert',
  'assignAlert',
  'snoozeAlert',
  'unsnoozeAlert',
  'testNotificationChannel',
  'validateWebhookConfig',
  'previewNotificationTemplate',
  'previewRule',
  'simulateRule',
  'simulateAlertConfig',
  'simulateNotificationRule',
  'simulateNotificationRules',
  'retryNotificationDelivery',
  'retryNotificationDeliveries',
  'createFeedback',
  // Saved views don't change what is monitored.
  'createSavedView',
  'deleteSavedView',
];

const writes = contractOperations.filter(({ side, method }) => side === 'client' && method !== 'GET');
/** Bodies that differ from the current values, because an update without changes leaves no entry. */
const otherCalls: Partial<Record<OperationId, Call>> = {
  updateNotificationSettings: { body: { reminder_interval_hours: 77 } },
};

async function newestEntries(since: number): Promise<Schemas['AuditLogEntry'][]> {
  const { items } = await world.admin.call('listAuditLog', { query: { limit: 10 } });
  return items.filter(({ id }) => id > since);
}

test.each(writes.map(({ id }) => id))(
  '%s leaves an entry in the audit log if it edits a resource',
  async (id) => {
    const call = otherCalls[id] ?? (await validCalls[id](world));
    const [last] = await newestEntries(0);
    const answer = await callOperation(world, id, call);
    expect(answer.status, answer.text).toBeLessThan(300);
    const entries = await newestEntries(last?.id ?? 0);
    if (noEdits.includes(id)) {
      expect(entries).toEqual([]);
      return;
    }
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) {
      expect(entry.request_id).toBe(answer.headers['x-request-id']);
      expect(entry.actor.type).toMatch(/^(user|api_key)$/);
    }
    if (/^(create|update|toggle|put)/.test(id) && !/Member|APIKeyReset/.test(id)) {
      expect(entries[0]!.changes.length, 'fields that were changed').toBeGreaterThan(0);
    }
  },
);
