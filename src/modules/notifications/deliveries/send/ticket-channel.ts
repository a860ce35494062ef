import { isTracker } from '../../../../domain/tickets/trackers.ts';
import type { TrackerFields } from '../model/ticket-queries.ts';
import type { ChannelSecrets } from '../secrets/channel-secrets.ts';
import { secretValues } from '../secrets/secret-values.ts';
import type { TicketChannel } from './send-ticket.ts';

export function toTicketChannel(name: string, fields: TrackerFields, secrets: ChannelSecrets): TicketChannel {
  const { channel_type: type, project, url_masked: target } = fields;
  if (!isTracker(type) || project === null || secrets.token === null)
    throw new Error('the channel creates no tickets');
  return {
    name,
    type,
    project,
    target,
    url: secrets.url,
    token: secrets.token,
    issueType: fields.issue_type,
    accountEmail: fields.account_email,
    labels: fields.ticket_labels,
    hidden: secretValues(secrets),
  };
}
