import { deliveryCodes } from '../channels/delivery-codes.ts';
import {
  type AlertData,
  type AlertEventType,
  categoryEvents,
  type EventData,
  type EventType,
  type NotificationTemplateCategory,
  type SingleEventData,
} from '../routing/notification-event.ts';
import { signOnErrors } from '../sign-on/sign-on-errors.ts';

/**
 * Returns a sample event of a type, for previews and channel tests. Its values match the list of variables.
 */
export function sampleEvent(event: EventType): EventData {
  switch (event) {
    case 'digest':
      return { ...base, event, sequence: null, acknowledge_url: null, cause: null, events: digestSample };
    case 'channel.test':
      return {
        ...base,
        event,
        alert: sampleAlert,
        channel: { ...sampleChannel, reason: null, resolution: null },
      };
    case 'job.failing':
      return { ...base, ...ofNoAlert, event, job: sampleJob };
    case 'job.recovered':
      return { ...base, ...ofNoAlert, event, job: { ...sampleJob, ...recoveredJob } };
    case 'agent.offline':
      return { ...base, ...ofNoAlert, event, agent: sampleAgent };
    case 'agent.online':
      return { ...base, ...ofNoAlert, event, agent: { ...sampleAgent, ...recoveredAgent } };
    case 'login_provider.failing':
      return { ...base, ...ofNoAlert, event, provider: sampleProvider };
    case 'login_provider.recovered':
      return { ...base, ...ofNoAlert, event, provider: { ...sampleProvider, ...recoveredProvider } };
    case 'channel.disabled':
    case 'channel.failing':
    case 'delivery.failed':
      return {
        ...base,
        ...ofNoAlert,
        event,
        channel: { ...sampleChannel, reason: channelReasons[event], resolution: null },
      };
    case 'channel.enabled':
    case 'channel.recovered':
    case 'delivery.recovered':
      return {
        ...base,
        ...ofNoAlert,
        event,
        channel: { ...sampleChannel, reason: null, resolution: 'recovered' },
      };
    case 'target.missed':
      return { ...base, ...ofNoAlert, event, target: sampleTarget };
    case 'target.met':
      return { ...base, ...ofNoAlert, event, target: { ...sampleTarget, ...metTarget } };
    case 'freshness.report':
      return { ...base, ...ofNoAlert, event, report: sampleReport };
    case 'release.moved':
      return { ...base, ...ofNoAlert, event, release: sampleMove };
    case 'deployment.changed':
      return { ...base, ...ofNoAlert, event, deployment: sampleDeployment };
    default:
      return alertSample(event);
  }
}

/** Returns the sample event for the preview of a category, which has the first event type of that category. */
export function sampleOfCategory(category: NotificationTemplateCategory): EventData {
  const [first = 'alert.created'] = categoryEvents[category];
  return sampleEvent(first);
}

const sampleAlert: AlertData = {
  id: 12,
  url: 'https://pacekeeper.example.com/alerts/12',
  config_name: 'payments-api in production',
  rule_name: 'No older than 90 days',
  rule_type: 'days_behind',
  severity: 'critical',
  previous_severity: null,
  status: 'unacknowledged',
  resolution: null,
  reason: 'behind',
  discovered_version: '1.25.3',
  resolved_version: null,
  latest_version: '1.27.1',
  behind_by: 99,
  days_left: null,
  known_exploited: null,
  artifact_name: 'github.com/nginx/nginx',
  repository_url: 'https://git.example.com/acme/deploy.git',
  target_file: 'apps/payments/values.yaml',
  release_url: 'https://github.com/nginx/nginx/releases/tag/release-1.27.1',
  release_count: 7,
  breaking_changes: '1.27.0: The listen directive rejects unknown parameters',
  notes_url: 'https://pacekeeper.example.com/alerts/12#release-notes',
  labels: { team: 'payments', env: 'production' },
};

const base = {
  event_id: '7f1c3a52-9d1e-4f0b-8a43-2b6c0d9e1f77',
  sequence: 1 as number | null,
  timestamp: '2026-03-15T09:30:00.000Z',
  timezone: 'UTC',
  idempotency_key: 'msg_7f1c3a52-9d1e-4f0b-8a43-2b6c0d9e1f77',
  acknowledge_url: 'https://pacekeeper.example.com/ack/eyJhIjoxMn0' as string | null,
  is_acknowledged: false,
  actor: { name: null as string | null },
  organization: { name: 'Acme' },
};

/** Values for a deployed version that is up to date, so there are no newer release notes. */
const noNotes = { release_count: null, breaking_changes: null, notes_url: null };

const ana = { name: 'Ana Lima' };

/** Changes to `base` and `sampleAlert` for the sample event of each event type. */
const alertChanges: Record<AlertEventType, Partial<typeof base> & { alert?: Partial<AlertData> }> = {
  'alert.created': {},
  'alert.escalated': { sequence: 2, alert: { previous_severity: 'high' } },
  'alert.reminder': { sequence: 3 },
  'alert.acknowledged': {
    sequence: 2,
    actor: ana,
    is_acknowledged: true,
    acknowledge_url: null,
    alert: { status: 'acknowledged' },
  },
  'alert.unacknowledged': { sequence: 3, actor: ana },
  'alert.resolved': {
    sequence: 4,
    acknowledge_url: null,
    alert: { status: 'resolved', resolution: 'caught_up', resolved_version: '1.27.1', ...noNotes },
  },
};

function alertSample(event: AlertEventType): SingleEventData {
  const { alert, ...rest } = alertChanges[event];
  return { ...base, ...rest, event, alert: { ...sampleAlert, ...alert } };
}

const ofNoAlert = { sequence: null, acknowledge_url: null };

const sampleProvider = {
  id: 'corp',
  name: 'Acme login',
  reason: signOnErrors.client_rejected.message,
  resolution: null,
};
const recoveredProvider = { reason: null, resolution: 'recovered' } as const;

const sampleJob = {
  id: 4,
  kind: 'gather' as const,
  name: 'nginx releases',
  url: 'https://pacekeeper.example.com/gather-jobs/4',
  error_code: 'unauthorized',
  error_message: 'The source rejected the credential.',
  last_success_at: '2026-03-12T09:30:00.000Z',
  resolution: null,
};
const recoveredJob = {
  error_code: null,
  error_message: null,
  last_success_at: '2026-03-15T09:29:00.000Z',
  resolution: 'recovered' as const,
};

const sampleAgent = {
  id: 2,
  name: 'datacenter-1',
  hostname: 'runner-7.example.com',
  last_heartbeat_at: '2026-03-15T09:28:45.000Z',
  resolution: null,
};
const recoveredAgent = {
  last_heartbeat_at: '2026-03-15T09:29:50.000Z',
  resolution: 'recovered' as const,
};

const sampleChannel = { id: 3, name: 'Operations' };
const channelReasons = {
  'channel.disabled': deliveryCodes.gone[0],
  'channel.failing': deliveryCodes.timeout[0],
  'delivery.failed': deliveryCodes.timeout[0],
};

const sampleTarget = {
  id: 3,
  name: 'Payments within 90 days',
  url: 'https://pacekeeper.example.com/freshness',
  metric: 'exposure_days' as const,
  limit: 90,
  goal_percent: 95,
  now_percent: 83.3,
  out_of_target: 4,
  resolution: null,
};
const metTarget = { now_percent: 96.2, out_of_target: 1, resolution: 'recovered' as const };

const sampleReport = {
  month: '2026-02',
  url: 'https://pacekeeper.example.com/freshness/report?month=2026-02',
  things: 120,
  libyears: 41.2,
  libyears_before: 44.3,
  within_percent: 83,
  within_percent_before: 80,
  targets_met: 3,
  target_count: 4,
  furthest_behind:
    'payments-api in production: 1.25.3 → 1.27.1, 1.4 libyears\nsearch: 7.2.4 → 8.0.1, 0.9 libyears',
};

const sampleMove = {
  id: 42,
  url: 'https://pacekeeper.example.com/releases/42',
  artifact_name: 'github.com/acme/setup-action',
  version: 'v4.1.2',
  kind: 'commit' as const,
  from: '8f4b7f84864484a7bf31766abe9204da3cbe65b3',
  to: '0e58ed8671d6b60d0890c21b07f8835ace038e67',
  noticed_at: '2026-03-15T09:29:00.000Z',
  other_count: 1,
  others: 'v4.1.1: 11bd71901bbe → 0e58ed8671d6',
  place_count: 2,
  places: 'payments-api build: v4.1.2\nsearch build: v4',
};

const sampleDeployment = {
  id: 8,
  url: 'https://pacekeeper.example.com/scrape-jobs/8',
  sender_url: 'https://pacekeeper.example.com/organizations/2',
  service: 'checkout',
  environment: 'production',
  version: '1.14.2',
  previous_version: '1.14.1',
  change: 'upgraded' as const,
  artifact: 'ghcr.io/acme/checkout',
  commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  deployed_at: '2026-03-15T09:29:00.000Z',
};

const digestSample: SingleEventData[] = [
  alertSample('alert.created'),
  alertSample('alert.acknowledged'),
  alertSample('alert.resolved'),
];
