import { afterAll, expect, test } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import type { OperationId } from '../../src/generated/operations.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { startContractInbox } from './contract-inbox.ts';
import { contractOperations } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { buildWorld } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
const owner = await server.createOrganization();
const world = await buildWorld({ baseUrl: server.url, owner, webhookUrl: inbox.url, db: server.db });

/**
 * Writes that neither edit a resource nor change anyone's access: they request work, record results, or have a separate
 * activity log.
 */
const noEdits: readonly OperationId[] = [
  'runGatherJob',
  'runScrapeJob',
  'runHelmSyncJob',
  'runDiscoveryJob',
  // This operation leaves an entry only if an item awaits confirmation. Tested in
  // src/modules/discovery/discovery-jobs/discovery-job-handlers.test.ts.
  'confirmGoneItems',
  'evaluateRules',
  'setScrapeJobVersion',
  'previewGatherJob',
  'previewGatherSource',
  'previewDiscovery',
  'planConfiguration',
  // This operation leaves an entry for each completed change. Tested in
  // tests/pipeline/whole-configurations.slow.test.ts.
  'applyConfiguration',
  // This operation leaves an entry for each resource that it creates. Tested in
  // tests/pipeline/environment-drift.test.ts.
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
  // This operation leaves an entry for each change. Tested in src/modules/software/change-software.test.ts.
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
  // These operations continue a session whose login has left an entry.
  'refreshLogin',
  'switchOrganization',
  // These operations leave an entry when they're completed. Tested in tests/security/audit-of-logins.test.ts,
  // single-sign-on.slow.test.ts, and src/modules/accounts/two-factor/two-factor.test.ts.
  'startDeviceLogin',
  'startTwoFactor',
  'linkIdentity',
  'previewChatAccount',
];

/** Reads that create a URL that gives access without a login. */
const issuingReads: readonly OperationId[] = ['getForecastCalendar', 'getSupportCalendar'];

const audited = contractOperations.filter(
  ({ id, side, method }) => side !== 'agent' && (method !== 'GET' || issuingReads.includes(id)),
);
/** Calls that leave an entry, for operations whose usual valid call changes nothing that is recorded. */
const otherCalls: Partial<Record<OperationId, () => Call | Promise<Call>>> = {
  updateNotificationSettings: () => ({ body: { reminder_interval_hours: 77 } }),
  // Only shared views are recorded.
  createSavedView: () => ({
    body: { page: 'alerts', name: world.make.name(), search: {}, is_shared: true },
    as: { login: 'member' },
  }),
  endOtherSessions: async () => {
    const { email, password, token } = await world.make.member();
    await server.anonymous.call('login', { body: { email, password } });
    return { as: { headers: { authorization: `Bearer ${token}` } } };
  },
};

async function newestEntries(since: number): Promise<Schemas['AuditLogEntry'][]> {
  const { items } = await world.admin.call('listAuditLog', { query: { limit: 10 } });
  return items.filter(({ id }) => id > since);
}

test.each(audited.map(({ id }) => id))(
  '%s leaves an entry in the audit log if it edits a resource, or starts or ends access',
  async (id) => {
    const call = await (otherCalls[id]?.() ?? validCalls[id](world));
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
      expect(entry.actor.type).toMatch(/^(user|api_key|deployment_trust)$/);
    }
    if (/^(create|update|toggle|put)/.test(id) && !/Member|APIKeyReset/.test(id)) {
      expect(entries[0]!.changes.length, 'fields that were changed').toBeGreaterThan(0);
    }
  },
);
