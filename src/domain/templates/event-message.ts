import type { AlertData, EventData, SingleEventData } from '../routing/notification-event.ts';
import { formatLag } from '../rules/format-lag.ts';
import { cleanLine, safeUrl } from './clean-text.ts';
import { readableTime } from './readable-time.ts';

export type MessageLevel = 'critical' | 'high' | 'moderate' | 'info' | 'good';

export interface MessageLink {
  label: 'View alert' | 'View job' | 'Acknowledge' | 'Release notes';
  /** http or https, percent-encoded. */
  url: string;
}

/**
 * What a person is told of an event, before a platform gives it its form. All texts are single lines without
 * control characters; names are at most 200 characters long. Nothing is escaped yet.
 */
export interface EventMessage {
  title: string;
  level: MessageLevel;
  facts: { label: string; value: string }[];
  links: MessageLink[];
  timestamp: string;
  /** `Acme · Pacekeeper`. */
  footer: string;
  /** The messages of the events of a digest, in order; otherwise empty. */
  items: EventMessage[];
}

export function describeEvent(event: EventData): EventMessage {
  const common = {
    timestamp: event.timestamp,
    footer: `${nameOf(event.organization.name)} · Pacekeeper`,
    items: [],
  };
  switch (event.event) {
    case 'digest': {
      const items = event.events.map(describeEvent);
      const count = items.length === 1 ? '1 event' : `${items.length} events`;
      const isReadingChanged = event.cause === 'reading_changed';
      const title = isReadingChanged ? `${count}: an upgrade reads versions differently` : count;
      return { ...common, title, level: worstLevel(items), facts: [], links: [], items };
    }
    case 'job.failing': {
      const { job } = event;
      const kind = { gather: 'Upstream source', scrape: 'Version tracker', helm_sync: 'Helm repository' }[
        job.kind
      ];
      const facts = factList([
        ['Error', job.error_message ?? job.error_code],
        ['Last success', readableTime(job.last_success_at ?? 'never')],
      ]);
      return {
        ...common,
        title: `${kind} failing: ${nameOf(job.name)}`,
        level: 'high',
        facts,
        links: linkList([['View job', job.url]]),
      };
    }
    case 'agent.offline': {
      const facts = factList([
        ['Host', event.agent.hostname],
        ['Last seen', readableTime(event.agent.last_heartbeat_at ?? 'never')],
      ]);
      return {
        ...common,
        title: `Agent offline: ${nameOf(event.agent.name)}`,
        level: 'high',
        facts,
        links: [],
      };
    }
    case 'channel.disabled': {
      const facts = factList([['Reason', event.channel.reason]]);
      return {
        ...common,
        title: `Channel disabled: ${nameOf(event.channel.name)}`,
        level: 'high',
        facts,
        links: [],
      };
    }
    default:
      return { ...common, ...describeAlert(event) };
  }
}

type EventWithAlert = Extract<SingleEventData, { alert: AlertData }>;

function describeAlert(event: EventWithAlert): Pick<EventMessage, 'title' | 'level' | 'facts' | 'links'> {
  const { alert } = event;
  const isOver = event.event === 'alert.resolved';
  const facts = factList([
    ['Severity', isOver ? null : alert.severity],
    ['Deployed', alert.discovered_version],
    ['Latest', alert.latest_version],
    ['Artifact', alert.artifact_name],
    ['Rule', alert.rule_name],
    ['File', alert.target_file],
    ['Repository', alert.repository_url],
    ['Labels', labelText(alert.labels)],
    ['By', event.actor.name],
  ]);
  const links = linkList([
    ['View alert', alert.url],
    ['Acknowledge', event.acknowledge_url],
    ['Release notes', alert.release_url],
  ]);
  return { title: alertTitle(event), level: isOver ? 'good' : alert.severity, facts, links };
}

function alertTitle({ event, alert, actor }: EventWithAlert): string {
  const what = situation(alert);
  const by = actor.name === null ? '' : ` by ${nameOf(actor.name, 60)}`;
  switch (event) {
    case 'alert.created':
      return `${capitalized(alert.severity)}: ${what}`;
    case 'alert.escalated': {
      const before = alert.previous_severity === null ? '' : ` (was ${alert.previous_severity})`;
      return `Escalated to ${alert.severity}${before}: ${what}`;
    }
    case 'alert.reminder':
      return `Reminder (${alert.severity}): ${what}`;
    case 'alert.acknowledged':
      return `Acknowledged${by}: ${what}`;
    case 'alert.unacknowledged':
      return `Unacknowledged: ${what}`;
    case 'alert.resolved':
      return `Resolved${by}: ${nameOf(alert.config_name)}`;
    case 'channel.test':
      return `Test message, no action needed: ${what}`;
  }
}

/** Such as `payments-api is 99 days behind`. */
function situation(alert: AlertData): string {
  const name = nameOf(alert.config_name);
  const version = nameOf(alert.discovered_version, 60);
  switch (alert.reason) {
    case 'version_not_found':
      return `${name} runs ${version}, which doesn't exist upstream`;
    case 'version_unparseable':
      return `${name} runs ${version}, which isn't a valid version`;
    case 'behind':
      return alert.behind_by === null
        ? `${name} is behind`
        : `${name} is ${formatLag(alert.behind_by, alert.rule_type)}`;
  }
}

function labelText(labels: Readonly<Record<string, string>>): string | null {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${cleanLine(name, 60)}=${cleanLine(value, 60)}`,
  );
  return pairs.length === 0 ? null : pairs.join(', ');
}

function factList(rows: [label: string, value: string | null][]): EventMessage['facts'] {
  return rows.flatMap(([label, value]) => {
    const text = cleanLine(value ?? '', 500);
    return text === '' ? [] : [{ label, value: text }];
  });
}

function linkList(rows: [label: MessageLink['label'], url: string | null][]): MessageLink[] {
  return rows.flatMap(([label, url]) => {
    const safe = safeUrl(url);
    return safe === null ? [] : [{ label, url: safe }];
  });
}

const levels: readonly MessageLevel[] = ['good', 'info', 'moderate', 'high', 'critical'];

function worstLevel(items: readonly EventMessage[]): MessageLevel {
  const worst = Math.max(...items.map(({ level }) => levels.indexOf(level)), 0);
  return levels[worst] ?? 'info';
}

/** A name of invisible characters only must not leave a hole in a sentence. */
function nameOf(text: string, limit = 200): string {
  return cleanLine(text, limit) || '(no name)';
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
