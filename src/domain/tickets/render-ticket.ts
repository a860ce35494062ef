import type { EventData } from '../routing/notification-event.ts';
import { escapeWithin } from '../templates/clean-text.ts';
import { describeEvent, type EventMessage, type MessageLink } from '../templates/event-message.ts';
import type { TrackerType } from './trackers.ts';

/** A ticket in the form in which it is stored with its delivery. */
export interface TicketContent {
  /** Title, as one line. */
  title: string;
  /** Body in the markup of the tracker. */
  body: string;
}

/** Maximum title length. Jira and GitLab have the lowest limit. */
const maxTitle = 255;

/**
 * Renders the ticket about an alert. Regardless of the names in the alert, the following is guaranteed: no
 * one is mentioned, no other ticket is linked, no command runs, and no name is parsed as markup. The ticket
 * has no acknowledge link, because more people can read tickets than can acknowledge alerts.
 */
export function renderTicket(event: EventData, type: TrackerType): TicketContent {
  // Render every alert event as a new alert, because an escalation or reminder can be the first event that is
  // routed to the channel.
  const message = describeEvent('alert' in event ? { ...event, event: 'alert.created' } : event);
  const links = message.links.filter(({ label }) => label !== 'Acknowledge');
  return type === 'jira'
    ? { title: escapeWithin(message.title, maxTitle, (character) => character), body: wikiOf(message, links) }
    : { title: markdownTitle(message.title), body: markdownOf(message, links) };
}

/**
 * Escapes a title. GitLab parses references in titles, so a zero-width space separates each reference mark
 * from its name.
 */
function markdownTitle(title: string): string {
  const plain = title
    .replace(/[@#!&%~$^*[](?=[\p{L}\p{N}_"'-])/gu, '$&\u200b')
    .replaceAll('://', ':\u200b//')
    .replaceAll('`', "'");
  return escapeWithin(plain, maxTitle, (character) => character);
}

function markdownOf({ facts, footer }: EventMessage, links: readonly MessageLink[]): string {
  return [
    facts.map(({ label, value }) => `- **${label}:** ${codeSpan(value)}`).join('\n'),
    links.map(markdownLink).join(' · '),
    `${closingSentence} ${codeSpan(footer)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const closingSentence =
  'Pacekeeper closes this ticket when the alert is resolved, and changes nothing else, so you can edit it.';

/** Formats text as code, in which GitHub and GitLab parse no mentions, references, or commands. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/**
 * Formats a link. URLs of issues, commits, and similar items are formatted as code, because a link would
 * create a reference on the linked page.
 */
function markdownLink({ label, url }: MessageLink): string {
  return /\/(?:issues|pulls?|discussions|commit|merge_requests|work_items|epics)\//i.test(url)
    ? `${label}: ${codeSpan(url)}`
    : `[${label}](${url})`;
}

function wikiOf({ facts, footer }: EventMessage, links: readonly MessageLink[]): string {
  return [
    facts.map(({ label, value }) => `* ${label}: ${wikiEscaped(value)}`).join('\n'),
    links.map(({ label, url }) => `[${label}|${url}]`).join(' | '),
    `${closingSentence} ${wikiEscaped(footer)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function wikiEscaped(text: string): string {
  return text.replace(/[\\{}[\]|*_^~+!-]/g, '\\$&').replaceAll('://', ':\\//');
}
