import type { Schemas } from '../../../../src/generated/client-api.ts';

type Resource = Schemas['AuditLogResource'];

const resourceLabels: Readonly<Record<Resource, string>> = {
  api_key: 'API key',
  member: 'member',
  invitation: 'invitation',
  setting: 'setting',
  notification_template: 'template',
  notification_settings: 'notification settings',
  rule: 'rule',
  alert_config: 'monitor',
  gather_job: 'upstream source',
  scrape_job: 'version tracker',
  helm_sync_job: 'Helm repository',
  discovery_job: 'discovery job',
  discovered_item: 'discovered version',
  notification_channel: 'channel',
  notification_rule: 'notification rule',
  silence: 'silence',
  freshness_target: 'freshness target',
  hook: 'hook',
  audit_export: 'audit export',
  organization: 'organization',
};

export const resourceOptions = (Object.keys(resourceLabels) as Resource[]).map((value) => ({
  value,
  label: `${resourceLabels[value][0]?.toUpperCase()}${resourceLabels[value].slice(1)}`,
}));

/** "deleted the rule Ninety days". */
export function formatAction({
  action,
  resource,
  resource_name,
}: Pick<Schemas['AuditLogEntry'], 'action' | 'resource' | 'resource_name'>): string {
  const verb = action.slice(action.indexOf('.') + 1).replaceAll('_', ' ');
  return `${verb} ${resourceLabels[resource]}${resource_name === null ? '' : ` ${resource_name}`}`;
}

/** "thresholds: {"critical":90} → {"critical":60}", "signing_secret: changed". */
export function formatChange({ field, from, to, is_secret }: Schemas['AuditLogChange']): string {
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
  if (is_secret && shown(from) === shown(to)) return `${field}: changed`;
  return `${field}: ${shown(from)} → ${shown(to)}`;
}
