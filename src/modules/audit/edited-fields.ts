import type { Schemas } from '../../generated/client-api.ts';
import { requestFields } from '../../generated/request-fields.ts';

/** Resources that people create and edit. */
export type EditedResource = Extract<
  Schemas['AuditLogResource'],
  | 'rule'
  | 'alert_config'
  | 'gather_job'
  | 'scrape_job'
  | 'helm_sync_job'
  | 'discovery_job'
  | 'discovered_item'
  | 'notification_channel'
  | 'notification_rule'
  | 'silence'
  | 'freshness_target'
  | 'artifact_alias'
  | 'artifact_correction'
  | 'hook'
  | 'audit_export'
  | 'deployment_trust'
  | 'saved_view'
  | 'api_key'
  | 'setting'
  | 'notification_template'
  | 'notification_settings'
>;

/** Operations that write each resource. */
const requests: Record<EditedResource, readonly (keyof typeof requestFields)[]> = {
  rule: ['createRule', 'updateRule'],
  alert_config: ['createAlertConfig', 'updateAlertConfig'],
  gather_job: ['createGatherJob', 'updateGatherJob'],
  scrape_job: ['createScrapeJob', 'updateScrapeJob'],
  helm_sync_job: ['createHelmSyncJob', 'updateHelmSyncJob'],
  discovery_job: ['createDiscoveryJob', 'updateDiscoveryJob'],
  discovered_item: ['updateDiscoveredItem'],
  notification_channel: ['createNotificationChannel', 'updateNotificationChannel'],
  notification_rule: ['createNotificationRule', 'updateNotificationRule'],
  silence: ['createSilence', 'updateSilence'],
  freshness_target: ['createFreshnessTarget', 'updateFreshnessTarget'],
  artifact_alias: ['createArtifactAlias', 'updateArtifactAlias'],
  artifact_correction: ['createArtifactCorrection', 'updateArtifactCorrection'],
  hook: ['createHook'],
  audit_export: ['createAuditExport'],
  deployment_trust: ['createDeploymentTrust', 'updateDeploymentTrust'],
  saved_view: ['createSavedView'],
  api_key: ['createAPIKey', 'updateAPIKey'],
  setting: ['putOrgOverride'],
  notification_template: ['putOrgOverride'],
  notification_settings: ['putOrgOverride'],
};

/** Fields whose values are never stored in the log. */
const secretFields: readonly string[] = [
  'url',
  'closing_path',
  'headers',
  'preset_options',
  'signing_secret',
  'token',
];

/** Returns the fields that requests can write, except secrets. Changes to other fields aren't edits. */
export function editedFields(resource: EditedResource): ReadonlySet<string> {
  // Include `is_active`, which is changed by toggle requests without fields.
  const names = new Set<string>(['is_active', ...requests[resource].flatMap((id) => requestFields[id])]);
  if (resource === 'notification_channel' || resource === 'audit_export')
    for (const name of secretFields) names.delete(name);
  return names;
}
