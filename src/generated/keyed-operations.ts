// Generated from spec/ by `npm run generate -- contract`. Do not edit.

/** The operations that accept an `Idempotency-Key`, by operationId. */
export const keyedOperations: ReadonlySet<string> = new Set([
  'createGatherJob',
  'createScrapeJob',
  'createHelmSyncJob',
  'createDiscoveryJob',
  'createArtifactAlias',
  'createRule',
  'toggleRule',
  'commentOnAlert',
  'createAlertConfig',
  'toggleAlertConfig',
  'createNotificationChannel',
  'toggleNotificationChannel',
  'createNotificationRule',
  'toggleNotificationRule',
  'createFreshnessTarget',
  'createSilence',
  'createFeedback',
  'createAPIKey',
  'toggleAPIKey',
  'inviteMember',
  'createMemberResetLink',
  'createHook',
  'createAuditExport',
  'createSavedView',
]);
