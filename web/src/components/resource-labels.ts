import { jobKindNames } from '../../../src/domain/runs/job-kind-labels.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

/** Names of the resources, as in sentences of the UI. */
export const resourceLabels: Readonly<Record<Schemas['AuditLogResource'], string>> = {
  api_key: 'API key',
  member: 'member',
  invitation: 'invitation',
  setting: 'setting',
  notification_template: 'template',
  notification_settings: 'notification settings',
  rule: 'rule',
  alert_config: 'monitor',
  gather_job: jobKindNames.gather,
  scrape_job: jobKindNames.scrape,
  helm_sync_job: jobKindNames.helm_sync,
  discovery_job: jobKindNames.discovery,
  discovered_item: 'discovered version',
  notification_channel: 'channel',
  notification_rule: 'notification rule',
  silence: 'silence',
  freshness_target: 'freshness target',
  artifact_alias: 'alias',
  artifact_correction: 'correction',
  hook: 'hook',
  audit_export: 'audit export',
  deployment_trust: 'trust',
  saved_view: 'shared view',
  calendar_url: 'calendar URL',
  organization: 'organization',
};
