import { ownValue } from '../json/own-value.ts';
import type { EventData } from '../routing/notification-event.ts';
import { capitalized } from '../text/capitalized.ts';
import { cleanLine } from './clean-text.ts';
import {
  describeEvent,
  type EventMessage,
  isStillBehind,
  type MessageLevel,
  type MessageLink,
  versionAndLag,
} from './event-message.ts';

/** An email in the form in which it is stored and sent. */
export interface EmailContent {
  /** Subject, as one line without control characters. */
  subject: string;
  text: string;
  /** HTML document without external resources. */
  html: string;
}

/**
 * Renders the email about an event. For every event, regardless of the names in it, the following is
 * guaranteed: the subject is one line, no name is parsed as markup, and all links are http or https URLs.
 * Never throws.
 */
export function renderEmail(event: EventData): EmailContent {
  const message = describeEvent(event);
  return { subject: subjectOf(event, message), text: textOf(message), html: htmlOf(message) };
}

/**
 * Returns the subject. Email clients ignore a prefix in brackets when they compare subjects (RFC 5256), so
 * the text after it is the same for every message about an alert. The prefix contains no other brackets,
 * because clients would then compare the text after the first closing bracket.
 */
function subjectOf(event: EventData, { title }: EventMessage): string {
  const organization = cleanLine(event.organization.name, 60) || '(no name)';
  if (!('alert' in event)) return `${title} - ${organization}`;
  const name = cleanLine(event.alert.config_name) || '(no name)';
  const version = versionOf(event).replaceAll(/[[\]]/g, '');
  return `[${stateOf(event)}: ${version}] ${name} - ${organization}`;
}

/**
 * Returns the version and its lag or, for a resolved alert, the version that was deployed at the resolution.
 */
function versionOf({ event, alert }: Extract<EventData, { alert: object }>): string {
  if (event !== 'alert.resolved') return versionAndLag(alert);
  return cleanLine(alert.resolved_version ?? alert.discovered_version, 60) || '(no version)';
}

function stateOf({ event, alert }: Extract<EventData, { alert: object }>): string {
  switch (event) {
    case 'alert.created':
      return capitalized(alert.severity);
    case 'alert.escalated':
      // New vulnerabilities can cause an escalation to the same severity.
      return alert.previous_severity === alert.severity
        ? `New ${alert.severity}`
        : `Escalated to ${alert.severity}`;
    case 'alert.reminder':
      return `Reminder, ${alert.severity}`;
    case 'alert.acknowledged':
      return 'Acknowledged';
    case 'alert.unacknowledged':
      return 'Unacknowledged';
    case 'alert.resolved':
      return isStillBehind(alert) ? 'Closed' : 'Resolved';
    case 'channel.test':
      return 'Test';
  }
}

function textOf(message: EventMessage): string {
  const parts = [
    [message.title],
    factLines(message),
    message.links.map(linkLine),
    ...message.items.map((item) => [
      `- ${item.title}`,
      ...[...factLines(inDigest(item)), ...item.links.map(linkLine)].map((line) => `  ${line}`),
    ]),
    [footerOf(message)],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function factLines({ facts }: EventMessage): string[] {
  return facts.map(({ label, value }) => `${label}: ${value}`);
}

function linkLine({ label, url }: MessageLink): string {
  return `${label}: ${url}`;
}

function footerOf({ footer, time }: EventMessage): string {
  return `${footer} · ${time}`;
}

const digestFacts: ReadonlySet<string> = new Set(['Deployed', 'Latest', 'Changes', 'Error', 'Reason']);

/** Returns an item of a digest with only the facts in `digestFacts`. The links lead to the other details. */
function inDigest(item: EventMessage): EventMessage {
  return { ...item, facts: item.facts.filter(({ label }) => digestFacts.has(label)) };
}

const colors: Readonly<Record<MessageLevel, string>> = {
  critical: '#b3261e',
  high: '#b75000',
  moderate: '#8a6d00',
  info: '#3a5a8c',
  good: '#2e7d32',
};

function htmlOf(message: EventMessage): string {
  const items = message.items.map((item) => block(inDigest(item), 'h2', 16));
  return [
    '<!DOCTYPE html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(message.title)}</title></head>`,
    '<body style="margin:0;padding:16px;font-family:-apple-system,Segoe UI,Helvetica,Arial,sans-serif;font-size:14px;line-height:1.5;color:#1f2328;background:#ffffff">',
    block(message, 'h1', 18),
    ...items,
    `<p style="margin:24px 0 0;color:#59636e;font-size:12px">${escaped(footerOf(message))}</p>`,
    '</body></html>',
  ].join('\n');
}

function block(message: EventMessage, heading: 'h1' | 'h2', size: number): string {
  const rows = message.facts.map(
    ({ label, value }) =>
      `<tr><td style="padding:2px 16px 2px 0;color:#59636e;vertical-align:top">${escaped(label)}</td><td style="padding:2px 0;overflow-wrap:anywhere">${escaped(value)}</td></tr>`,
  );
  const links = message.links.map(
    ({ label, url }) =>
      `<a href="${escaped(url)}" style="color:#0b57d0;margin-right:16px">${escaped(label)}</a>`,
  );
  return [
    `<div style="margin:0 0 16px;padding:0 0 0 12px;border-left:4px solid ${colors[message.level]}">`,
    `<${heading} style="margin:0 0 8px;font-size:${size}px;line-height:1.3">${escaped(message.title)}</${heading}>`,
    ...(rows.length > 0
      ? [`<table role="presentation" style="border-collapse:collapse">${rows.join('')}</table>`]
      : []),
    ...(links.length > 0 ? [`<p style="margin:8px 0 0">${links.join('')}</p>`] : []),
    '</div>',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ownValue(entities, character)!);
}
