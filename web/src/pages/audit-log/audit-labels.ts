import { ownValue } from '../../../../src/domain/json/own-value.ts';
import { capitalized } from '../../../../src/domain/text/capitalized.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { resourceLabels } from '../../components/resource-labels.ts';

type Resource = Schemas['AuditLogResource'];

export const resourceOptions = (Object.keys(resourceLabels) as Resource[]).map((value) => ({
  value,
  label: capitalized(resourceLabels[value]),
}));

/** Returns an action as text, such as "deleted the rule Ninety days". */
export function formatAction({
  action,
  resource,
  resource_name,
}: Pick<Schemas['AuditLogEntry'], 'action' | 'resource' | 'resource_name'>): string {
  const verb = action.slice(action.indexOf('.') + 1).replaceAll('_', ' ');
  // The actor of a login or logout is the member.
  if (action === 'member.logged_in' || action === 'member.logged_out') return verb;
  return `${verb} ${resourceLabels[resource]}${resource_name === null ? '' : ` ${resource_name}`}`;
}

/** Labels of the fields whose names in the UI differ from the API. */
const fieldLabels: Readonly<Record<string, string>> = {
  accept_roles: 'roles to accept',
  alert_config_count: 'monitors',
  alert_config_id: 'monitor',
  alert_config_ids: 'monitors',
  artifact_name: 'artifact',
  channel_ids: 'channels',
  cron_expression: 'schedule',
  cron_timezone: 'time zone',
  default_channel_id: 'default channel',
  default_rule_id: 'default rule',
  gather_job_id: 'upstream source',
  include_prereleases: 'pre-releases',
  is_active: 'enabled',
  project_url: 'project URL',
  purls: 'package URLs',
  repository_url: 'repository URL',
  rule_id: 'rule',
  rule_ids: 'rules',
  scrape_job_id: 'version tracker',
  timezone: 'time zone',
  url: 'URL',
};

/**
 * Returns the label of a field. Examples: "gather_job_id" → "upstream source", "stop_processing" → "stop
 * processing".
 */
export const formatField = (field: string): string =>
  ownValue(fieldLabels, field) ?? field.replaceAll('_', ' ');

/**
 * Returns a change as text, such as "thresholds: {"critical":90} → {"critical":60}" or "signing_secret:
 * changed".
 */
export function formatChange({ field, from, to, is_secret }: Schemas['AuditLogChange']): string {
  if (is_secret && formatValue(from) === formatValue(to)) return `${field}: changed`;
  return `${field}: ${formatValue(from)} → ${formatValue(to)}`;
}

export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
