import { findTextField, readJsonMember, rejection } from '../../channels/receiver-response.ts';
import { type EventData, endsProblem, problemKey } from '../../routing/notification-event.ts';
import { cleanLine, joinWithin, truncate } from '../clean-text.ts';
import { describeEvent, type MessageLevel } from '../event-message.ts';
import type { Preset } from './preset.ts';

/** PagerDuty's limits, in characters. */
const limits = { dedupKey: 255, summary: 1_024, source: 255, details: 10_000 };
const severities: Record<MessageLevel, string> = {
  critical: 'critical',
  high: 'error',
  moderate: 'warning',
  info: 'info',
  good: 'info',
};

/**
 * Uses Events API v2. All events of an alert share a `dedup_key`, so that they open and close one incident.
 * Events about the same problem of Pacekeeper, such as a failing job, also share a key. Events that have no
 * end, such as a monthly report, open no incident.
 */
export const pagerdutyPreset: Preset = {
  label: 'PagerDuty',
  about: 'Opens, acknowledges, and resolves incidents along with alerts.',
  urlLabel: 'Events API URL',
  urlExample: 'https://events.pagerduty.com/v2/enqueue',
  urlDefault: 'https://events.pagerduty.com/v2/enqueue',
  steps: [
    'In the service, open "Integrations" and add "Events API V2".',
    'Copy the integration key. EU accounts use https://events.eu.pagerduty.com/v2/enqueue.',
  ],
  receiver: 'hosted',
  options: [
    {
      name: 'routing_key',
      label: 'Integration key',
      description: '32 alphanumeric characters.',
      isRequired: true,
      isSecret: true,
      pattern: /^[A-Za-z0-9]{32}$/,
      expected: '32 alphanumeric characters',
    },
  ],
  isPerAlert: true,
  skips: (eventType) =>
    eventType === 'freshness.report' || eventType === 'release.moved' || eventType === 'deployment.changed',
  findRejection({ json }) {
    const status = readJsonMember(json, 'status');
    return typeof status !== 'string' || status === 'success'
      ? null
      : rejection(`${status}: ${findTextField(json, ['message'])}`);
  },
  renderEnd(body) {
    const { routing_key, dedup_key, event_action } = body as Readonly<Record<string, unknown>>;
    return event_action === 'trigger' && typeof dedup_key === 'string'
      ? { routing_key, event_action: 'resolve', dedup_key }
      : null;
  },
  render(event, options, _buttons, incidentHost = null) {
    const head = {
      routing_key: options['routing_key'] ?? '',
      event_action: action(event),
      dedup_key: dedupKey(event, incidentHost),
    };
    return head.event_action === 'trigger' ? { ...head, ...triggerParts(event) } : head;
  },
};

function action({ event }: EventData): 'trigger' | 'acknowledge' | 'resolve' {
  if (event === 'alert.acknowledged') return 'acknowledge';
  return event === 'alert.resolved' || endsProblem(event) ? 'resolve' : 'trigger';
}

/**
 * Returns the deduplication key. It includes a host, so that two installations can share an integration.
 * That's the stored host, so that events still find their incidents after the base URL has changed.
 */
function dedupKey(event: EventData, incidentHost: string | null): string {
  const subject = (() => {
    if (event.event === 'channel.test') return `test/${event.event_id}`;
    if ('alert' in event) return `${incidentHost ?? host(event.alert.url)}/alert/${event.alert.id}`;
    const problem = problemKey(event.event, event);
    return problem === null ? `event/${event.event_id}` : `${incidentHost ?? hostOf(event)}/${problem}`;
  })();
  // Clean the key, because the ID of a login provider is free text from a configuration file.
  return cleanLine(`pacekeeper/${subject}`, limits.dedupKey);
}

function hostOf(event: EventData): string {
  if ('job' in event) return host(event.job.url);
  return 'target' in event ? host(event.target.url) : 'unknown';
}

function host(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'unknown';
}

function triggerParts(event: EventData): object {
  const message = describeEvent(event);
  const [open] = message.links;
  const source = 'alert' in event ? event.alert.config_name : event.organization.name;
  const details: Record<string, string> = Object.fromEntries(
    message.facts.map(({ label, value }) => [label, value]),
  );
  if (message.items.length > 0) {
    details['Events'] = joinWithin(
      message.items.map(({ title }) => title),
      limits.details,
    );
  }
  return {
    payload: {
      summary: truncate(message.title, limits.summary),
      source: cleanLine(source, limits.source) || 'Pacekeeper',
      severity: severities[message.level],
      timestamp: message.timestamp,
      ...('alert' in event
        ? { component: cleanLine(event.alert.artifact_name, limits.source), class: event.alert.rule_type }
        : {}),
      custom_details: details,
    },
    links: message.links.map(({ label, url }) => ({ href: url, text: label })),
    client: 'Pacekeeper',
    ...(open ? { client_url: open.url } : {}),
  };
}
