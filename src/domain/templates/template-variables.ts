import { deliveryCodes } from '../channels/delivery-codes.ts';
import type { NotificationTemplateCategory, ProblemResolution } from '../routing/notification-event.ts';
import { ruleTypeIds, ruleTypes } from '../rules/rule-types.ts';
import { jobKindNames } from '../runs/job-kind-labels.ts';
import { signOnErrors } from '../sign-on/sign-on-errors.ts';

const orList = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** A template variable, as listed in the template description. */
export interface TemplateVariable {
  /** Path of the variable, such as `alert.severity`. */
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'map' | 'list';
  /**
   * True if the value can be `null`, which prints as an empty string and, with the `json` filter, as `null`.
   */
  readonly isNullable: boolean;
  readonly description: string;
  readonly example: string | number | boolean | null | Readonly<Record<string, string>> | readonly string[];
  /**
   * Events that have the variable. Other events don't have it, so templates must check if it exists with a
   * condition such as `{% if job %}`.
   */
  readonly events:
    | 'all'
    | 'alert'
    | 'digest'
    | 'job'
    | 'agent'
    | 'login_provider'
    | 'target'
    | 'report'
    | 'release'
    | 'deployment'
    | 'channel';
}

const anyOf = new Intl.ListFormat('en-US', { type: 'disjunction' });
const alertReasons = [
  ...new Set(ruleTypeIds.map((id) => ruleTypes[id].reason)),
  'version_not_found',
  'version_unparseable',
];

type Row = [
  name: string,
  type: `${TemplateVariable['type']}${'' | '|null'}`,
  description: string,
  example: TemplateVariable['example'],
];

function variables(events: TemplateVariable['events'], rows: Row[]): TemplateVariable[] {
  return rows.map(([name, type, description, example]) => {
    const isNullable = type.endsWith('|null');
    return {
      name,
      type: type.replace('|null', '') as TemplateVariable['type'],
      isNullable,
      description,
      example,
      events,
    };
  });
}

function resolutionHelp(
  events: string,
  resolutions: readonly Exclude<ProblemResolution, 'deleted'>[],
): string {
  return `In ${events}: ${anyOf.format([...resolutions, 'deleted'])}.`;
}

/** All variables that a template can read. A template with any other name is rejected when it is saved. */
export const templateVariables: readonly TemplateVariable[] = [
  ...variables('all', [
    ['event', 'string', 'The event type.', 'alert.created'],
    [
      'event_id',
      'string',
      'The event ID. The same for all channels.',
      '7f1c3a52-9d1e-4f0b-8a43-2b6c0d9e1f77',
    ],
    ['sequence', 'integer|null', 'The position of the event within its alert, starting at 1.', 1],
    ['timestamp', 'string', 'When the event happened (RFC 3339).', '2026-03-15T09:30:00.000Z'],
    [
      'timezone',
      'string',
      "The channel's time zone. Use timestamp | date: '%Y-%m-%d %H:%M', timezone for its local time.",
      'Europe/Berlin',
    ],
    [
      'idempotency_key',
      'string',
      'The webhook-id. The same on every attempt.',
      'msg_7f1c3a52-9d1e-4f0b-8a43-2b6c0d9e1f77',
    ],
    [
      'acknowledge_url',
      'string|null',
      'The link that acknowledges the alert.',
      'https://pacekeeper.example.com/ack/eyJhIjoxMn0',
    ],
    ['is_acknowledged', 'boolean', 'Whether the alert is acknowledged.', false],
    ['actor.name', 'string|null', 'Who triggered the event. Null for Pacekeeper itself.', 'Ana Lima'],
    ['organization.name', 'string', 'The organization name.', 'Acme'],
  ]),
  ...variables('alert', [
    ['alert.id', 'integer', 'The alert ID.', 12],
    ['alert.url', 'string', 'The URL of the alert page.', 'https://pacekeeper.example.com/alerts/12'],
    ['alert.config_name', 'string', 'The alert configuration name.', 'payments-api in production'],
    ['alert.rule_name', 'string', 'The monitoring rule name.', 'No older than 90 days'],
    ['alert.rule_type', 'string', `${anyOf.format(ruleTypeIds)}.`, 'days_behind'],
    ['alert.severity', 'string', 'Severity: moderate, high, or critical.', 'critical'],
    ['alert.previous_severity', 'string|null', 'The severity before an escalation.', 'high'],
    ['alert.status', 'string', 'unacknowledged, acknowledged, or resolved.', 'unacknowledged'],
    [
      'alert.resolution',
      'string|null',
      'Why the alert was resolved: caught_up, manual, disabled, reconfigured, or deleted. Null for other events.',
      'caught_up',
    ],
    ['alert.reason', 'string', `${anyOf.format(alertReasons)}.`, 'behind'],
    ['alert.discovered_version', 'string', 'The deployed version the alert is about.', '1.25.3'],
    [
      'alert.resolved_version',
      'string|null',
      'The version that was deployed when the alert was resolved. Null for other events, or if unknown.',
      '1.27.1',
    ],
    ['alert.latest_version', 'string|null', 'The latest release the rule considers.', '1.27.1'],
    ['alert.behind_by', 'integer|null', "How far behind, in the rule's unit.", 99],
    [
      'alert.days_left',
      'integer|null',
      'For end_of_life: days until support ends; negative afterward. Null for other rules, or if unknown.',
      12,
    ],
    [
      'alert.known_exploited',
      'string|null',
      'For vulnerabilities: the IDs of those that are known to be exploited, at most five. Null if none is known, and in reminders.',
      'CVE-2026-1234',
    ],
    ['alert.artifact_name', 'string', 'The upstream artifact.', 'github.com/nginx/nginx'],
    [
      'alert.repository_url',
      'string|null',
      'The repository that contains the version.',
      'https://git.example.com/acme/deploy.git',
    ],
    ['alert.target_file', 'string|null', 'The file that contains the version.', 'apps/payments/values.yaml'],
    [
      'alert.release_url',
      'string|null',
      'The URL of the latest release.',
      'https://github.com/nginx/nginx/releases/tag/release-1.27.1',
    ],
    [
      'alert.release_count',
      'integer|null',
      'The number of releases after the deployed version, up to the latest. Null if unknown.',
      7,
    ],
    [
      'alert.breaking_changes',
      'string|null',
      'Lines that the release notes mark as breaking, as plain text: at most 5 of 200 characters. Null if none are marked.',
      '1.27.0: The listen directive rejects unknown parameters',
    ],
    [
      'alert.notes_url',
      'string|null',
      'The URL of the release notes in Pacekeeper.',
      'https://pacekeeper.example.com/alerts/12#release-notes',
    ],
    [
      'alert.labels',
      'map',
      "The monitor's labels. Use alert.labels.team for a single label.",
      { team: 'payments', env: 'production' },
    ],
  ]),
  ...variables('digest', [
    [
      'cause',
      'string|null',
      'opened_together for alerts that one change opened, such as accepted items, a new rule, or a release; reading_changed after an upgrade or a changed setting affected how version strings are read; silence_ended at the end of a silence.',
      'reading_changed',
    ],
    [
      'events',
      'list',
      "The events in a digest, in order; with the cause opened_together, the most severe first. Each has its event's variables.",
      ['alert.created', 'alert.resolved'],
    ],
  ]),
  ...variables('job', [
    ['job.id', 'integer', 'The job ID.', 4],
    ['job.kind', 'string', `${orList.format(Object.keys(jobKindNames))}.`, 'gather'],
    ['job.name', 'string', 'The job name.', 'nginx releases'],
    ['job.url', 'string', 'The URL of the job page.', 'https://pacekeeper.example.com/gather-jobs/4'],
    ['job.error_code', 'string|null', 'The last error code.', 'unauthorized'],
    ['job.error_message', 'string|null', 'The last error message.', 'The source rejected the credential.'],
    ['job.last_success_at', 'string|null', 'The last success (RFC 3339).', '2026-03-12T09:30:00.000Z'],
    [
      'job.resolution',
      'string|null',
      resolutionHelp('job.recovered', ['recovered', 'reconfigured']),
      'recovered',
    ],
  ]),
  ...variables('agent', [
    ['agent.id', 'integer', 'The agent ID.', 2],
    ['agent.name', 'string', 'The agent name.', 'datacenter-1'],
    ['agent.hostname', 'string', "The agent's host name.", 'runner-7.example.com'],
    ['agent.last_heartbeat_at', 'string|null', 'The last heartbeat (RFC 3339).', '2026-03-15T09:28:45.000Z'],
    ['agent.resolution', 'string|null', resolutionHelp('agent.online', ['recovered']), 'recovered'],
  ]),
  ...variables('login_provider', [
    ['provider.id', 'string', 'The ID of the login provider in PACEKEEPER_OIDC_FILE.', 'corp'],
    ['provider.name', 'string', 'The name on its login button.', 'Acme login'],
    [
      'provider.reason',
      'string|null',
      'Why it fails. Null after a recovery.',
      signOnErrors.client_rejected.message,
    ],
    [
      'provider.resolution',
      'string|null',
      resolutionHelp('login_provider.recovered', ['recovered']),
      'recovered',
    ],
  ]),
  ...variables('target', [
    ['target.id', 'integer', 'The ID of the freshness target.', 3],
    ['target.name', 'string', 'The name of the freshness target.', 'Payments within 90 days'],
    ['target.url', 'string', 'The URL of the Freshness page.', 'https://pacekeeper.example.com/freshness'],
    ['target.metric', 'string', 'libyears, exposure_days, majors, or minors.', 'exposure_days'],
    ['target.limit', 'number', 'The highest value within the target.', 90],
    ['target.goal_percent', 'integer', 'The share that must be within the limit.', 95],
    ['target.now_percent', 'number|null', 'The share within the limit now.', 83.3],
    ['target.out_of_target', 'integer', 'How many exceed the limit.', 4],
    [
      'target.resolution',
      'string|null',
      resolutionHelp('target.met', ['recovered', 'disabled', 'reconfigured']),
      'recovered',
    ],
  ]),
  ...variables('report', [
    ['report.month', 'string', 'In freshness.report: the month.', '2026-02'],
    [
      'report.url',
      'string',
      'The URL of the report.',
      'https://pacekeeper.example.com/freshness/report?month=2026-02',
    ],
    ['report.things', 'integer', 'Deployed versions at the end of the month.', 120],
    ['report.libyears', 'number', 'Libyears at the end of the month.', 41.2],
    ['report.libyears_before', 'number|null', 'Libyears at the end of the previous month.', 44.3],
    ['report.within_percent', 'number|null', 'The share within target at the end of the month.', 83],
    [
      'report.within_percent_before',
      'number|null',
      'The share within target at the end of the previous month.',
      80,
    ],
    ['report.targets_met', 'integer', 'Freshness targets that were met at the end of the month.', 3],
    ['report.target_count', 'integer', 'Enabled freshness targets.', 4],
    [
      'report.furthest_behind',
      'string|null',
      'Up to five deployed versions that are furthest behind, one per line.',
      'payments-api in production: 1.25.3 → 1.27.1, 1.4 libyears\nsearch: 7.2.4 → 8.0.1, 0.9 libyears',
    ],
  ]),
  ...variables('release', [
    ['release.id', 'integer', 'In release.moved: the ID of the release.', 42],
    ['release.url', 'string', 'The URL of the release page.', 'https://pacekeeper.example.com/releases/42'],
    ['release.artifact_name', 'string', 'The upstream artifact.', 'github.com/acme/setup-action'],
    ['release.version', 'string', 'The version whose commit or digest changed.', 'v4.1.2'],
    ['release.kind', 'string', 'commit or digest.', 'commit'],
    ['release.from', 'string', 'The previous commit or digest.', '8f4b7f84864484a7bf31766abe9204da3cbe65b3'],
    ['release.to', 'string', 'The new commit or digest.', '0e58ed8671d6b60d0890c21b07f8835ace038e67'],
    ['release.noticed_at', 'string', 'When a run noticed it (RFC 3339).', '2026-03-15T09:29:00.000Z'],
    ['release.other_count', 'integer', 'Other versions of the source that changed in the same run.', 1],
    [
      'release.others',
      'string|null',
      'Up to five of these versions, one per line.',
      'v4.1.1: 11bd71901bbe → 0e58ed8671d6',
    ],
    ['release.place_count', 'integer', 'Monitors whose deployed version is one of the changed versions.', 2],
    [
      'release.places',
      'string|null',
      'Up to five of these monitors, one per line.',
      'payments-api build: v4.1.2\nsearch build: v4',
    ],
  ]),
  ...variables('deployment', [
    ['deployment.id', 'integer', 'In deployment.changed: the scrape job ID.', 8],
    [
      'deployment.url',
      'string',
      'The URL of the scrape job page.',
      'https://pacekeeper.example.com/scrape-jobs/8',
    ],
    [
      'deployment.sender_url',
      'string',
      'Identifies the organization as the sender. The URL has no page.',
      'https://pacekeeper.example.com/organizations/2',
    ],
    ['deployment.service', 'string', 'The deployed service, with its component.', 'checkout'],
    ['deployment.environment', 'string', 'The environment.', 'production'],
    ['deployment.version', 'string', 'The deployed version.', '1.14.2'],
    ['deployment.previous_version', 'string|null', 'The previous version. Null for the first one.', '1.14.1'],
    ['deployment.change', 'string', 'deployed, upgraded, or rolledback.', 'upgraded'],
    ['deployment.artifact', 'string|null', 'The artifact, if a report named it.', 'ghcr.io/acme/checkout'],
    ['deployment.commit', 'string|null', 'The Git commit.', '9fceb02d0ae598e95dc970b74767f19372d61af8'],
    ['deployment.deployed_at', 'string', 'When it was deployed (RFC 3339).', '2026-03-15T09:29:00.000Z'],
  ]),
  ...variables('channel', [
    ['channel.id', 'integer', 'In events about channels and in channel.test: the channel ID.', 3],
    [
      'channel.name',
      'string',
      'In events about channels and in channel.test: the channel name.',
      'Operations',
    ],
    [
      'channel.reason',
      'string|null',
      'In channel.disabled: why it was disabled. In channel.failing and delivery.failed: the last error.',
      deliveryCodes.gone[0],
    ],
    [
      'channel.resolution',
      'string|null',
      resolutionHelp('channel.enabled, channel.recovered, and delivery.recovered', ['recovered', 'disabled']),
      'recovered',
    ],
  ]),
];

/**
 * Returns the variables of a category. With `null`, returns those of a template that applies to every event.
 */
export function variablesOf(category: NotificationTemplateCategory | null): readonly TemplateVariable[] {
  if (category === null) return templateVariables;
  return templateVariables.filter(({ events }) => events === 'all' || events === 'alert');
}

/** Shape of a variable, which determines the names that can follow it in a path. */
export type VariableShape =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'map' }
  | { readonly kind: 'list'; readonly item: VariableShape }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, VariableShape> }
  /** A value that isn't data of the event, because the template creates it. */
  | { readonly kind: 'unknown' };

/** Returns the tree of the variables of a category, for checking paths. */
export function variableShape(category: NotificationTemplateCategory | null): VariableShape {
  const list = variablesOf(category);
  const fields = list.filter(({ type }) => type !== 'list');
  const event = objectShape(fields, new Map());
  const lists = list.filter(({ type }) => type === 'list');
  return objectShape(fields, new Map(lists.map(({ name }) => [name, { kind: 'list', item: event }])));
}

function objectShape(
  list: readonly TemplateVariable[],
  more: ReadonlyMap<string, VariableShape>,
): VariableShape {
  const members = new Map<string, VariableShape>(more);
  const groups = new Map<string, Map<string, VariableShape>>();
  for (const { name, type } of list) {
    const shape: VariableShape = type === 'map' ? { kind: 'map' } : { kind: 'scalar' };
    const [head = name, member] = name.split('.');
    if (member === undefined) {
      members.set(head, shape);
      continue;
    }
    const group = groups.get(head) ?? new Map<string, VariableShape>();
    groups.set(head, group.set(member, shape));
    members.set(head, { kind: 'object', members: group });
  }
  return { kind: 'object', members };
}
