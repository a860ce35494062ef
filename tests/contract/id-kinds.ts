import type { ContractOperation } from './contract-operations.ts';
import type { ResourceKind } from './world.ts';

/** Kind of resource that the `{id}` of a path identifies, by the preceding path segment. */
const kindsOfPaths: Record<string, ResourceKind> = {
  'gather-jobs': 'gather_job',
  'scrape-jobs': 'scrape_job',
  'helm-sync-jobs': 'helm_sync_job',
  'discovery-jobs': 'discovery_job',
  'discovered-items': 'discovered_item',
  releases: 'release',
  rules: 'rule',
  alerts: 'alert',
  'alert-configs': 'alert_config',
  'notification-channels': 'channel',
  'notification-rules': 'notification_rule',
  silences: 'silence',
  'freshness-targets': 'freshness_target',
  'artifact-aliases': 'artifact_alias',
  'artifact-corrections': 'artifact_correction',
  hooks: 'hook',
  'audit-exports': 'audit_export',
  'deployment-trusts': 'deployment_trust',
  'notification-deliveries': 'delivery',
  'api-keys': 'api_key',
  members: 'member',
  invitations: 'invitation',
  sessions: 'session',
  'saved-views': 'saved_view',
  identities: 'identity',
  'chat-accounts': 'chat_account',
  tasks: 'task',
  applies: 'configuration_apply',
};

/** Kind of resource that an ID in a query or a body identifies, by field name. */
const kindsOfFields: Record<string, ResourceKind> = {
  target_id: 'freshness_target',
  gather_job_id: 'gather_job',
  scrape_job_id: 'scrape_job',
  helm_sync_job_id: 'helm_sync_job',
  scrape_job_ids: 'scrape_job',
  discovery_job_id: 'discovery_job',
  group_job_id: 'discovery_job',
  default_rule_id: 'rule',
  item_ids: 'discovered_item',
  after_id: 'discovered_item',
  rule_id: 'rule',
  rule_ids: 'rule',
  alert_id: 'alert',
  alert_ids: 'alert',
  alert_config_id: 'alert_config',
  alert_config_ids: 'alert_config',
  notification_rule_id: 'notification_rule',
  channel_id: 'channel',
  channel_ids: 'channel',
  default_channel_id: 'channel',
  member_id: 'member',
  assignee_id: 'member',
  agent_id: 'agent',
  running: 'task',
  task_id: 'task',
  run_id: 'task',
  organization_id: 'organization',
  except_organizations: 'organization',
};

/** Returns the kind of resource that the `{id}` in the path of an operation identifies. */
export function kindOfPath({ id, path }: ContractOperation): ResourceKind {
  const kind = kindsOfPaths[path.split('/{id}')[0]!.split('/').at(-1)!];
  if (!kind) throw new Error(`nobody knows what ${id} is about`);
  return kind;
}

/** Returns the kind of resource that an ID in a query or a body identifies. */
export function kindOfField(name: string): ResourceKind {
  const kind = kindsOfFields[name];
  if (!kind) throw new Error(`nobody knows what ${name} is the id of`);
  return kind;
}
