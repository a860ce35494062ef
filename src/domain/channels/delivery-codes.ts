/**
 * Outcomes of an attempt, a delivery, or a channel, each with its description and a remedy. The codes are
 * stable.
 */
export const deliveryCodes = {
  http_status: ['The receiver returned an error status.', 'Check the response in the attempt details.'],
  message_rejected: [
    'The receiver returned a success status, but its response reports an error.',
    'Check the response in the attempt details.',
  ],
  redirect: [
    "The receiver returned a redirect. Pacekeeper doesn't follow redirects for webhooks.",
    'Use the final URL.',
  ],
  gone: [
    'The receiver returned 410 Gone, so the channel was disabled.',
    'Update the URL and enable the channel again.',
  ],
  timeout: [
    "The receiver didn't respond in time.",
    'Make the receiver respond before it processes the message.',
  ],
  connection_failed: [
    "Couldn't connect to the receiver.",
    "Check that it's running and accepting connections.",
  ],
  name_not_found: ["Couldn't resolve the receiver's host name.", 'Check the host name.'],
  tls_failed: ['The TLS connection failed.', "Check the receiver's certificate."],
  invalid_response: ['The receiver returned an invalid HTTP response.', 'Check the host and port.'],
  target_not_allowed: [
    "The address isn't allowed.",
    'An operator can allow private ranges with PACEKEEPER_EGRESS_ALLOW.',
  ],
  expired: ['The delivery ran out of retry time.', 'Retry it when the receiver is healthy.'],
  template_failed: [
    'The template failed, so the default message was sent.',
    'Fix the template. Its preview shows the error.',
  ],
  worker_lost: [
    'The server stopped while sending.',
    'No action needed. Pacekeeper retries with the same webhook-id.',
  ],
  secrets_unreadable: [
    "Pacekeeper can't decrypt the stored URL and secrets. The secret key changed, or the data is corrupt.",
    'Enter them again, or delete the channel or audit export and create it again. An operator can also restore the key.',
  ],
  channel_inactive: ['The channel is disabled.', 'Enable the channel, then retry the delivery.'],
  channel_deleted: ['The channel was deleted.', 'Select another channel in the notification rule.'],
  alert_deleted: ['The alert was deleted.', 'No action needed.'],
  no_channel: [
    'No notification rule matched and no default channel is set.',
    'Set a default channel or add a notification rule.',
  ],
  fallback_off: [
    "No notification rule matched, and alerts without a matching rule aren't sent to the default channel.",
    'Add a notification rule, or enable the fallback to the default channel.',
  ],
  no_default_channel: [
    'The matching notification rule sends to the default channel, and no default channel is set.',
    'Set a default channel, or select channels in the notification rule.',
  ],
  no_owner_channel: ["No enabled channel lists the alert's owner.", "Add the owner to a channel's owners."],
  channels_deleted: [
    'The channels of the matching notification rules were deleted.',
    'Select other channels in the notification rules.',
  ],
  all_channels_inactive: [
    'Every channel that this was routed to is disabled.',
    'Enable a channel, then retry the delivery.',
  ],
  mail_deferred: [
    'The mail server deferred the message (4xx).',
    'Pacekeeper retries. If it keeps happening, check the response in the attempt details.',
  ],
  mail_rejected: [
    'The mail server rejected the message (5xx).',
    "Check the response in the attempt details and the channel's recipients, then retry the delivery.",
  ],
  mail_login_failed: [
    'The mail server rejected the login, or the token endpoint issued no access token.',
    'An operator must update PACEKEEPER_SMTP_URL, or the OAuth client and its variables.',
  ],
  email_unavailable: [
    "Email isn't set up on this server.",
    'An operator can set PACEKEEPER_SMTP_URL and PACEKEEPER_EMAIL_FROM.',
  ],
  recipients_not_allowed: [
    'No recipient is a member of the organization or has an address in an allowed domain.',
    "Update the channel's recipients, then retry the delivery.",
  ],
  recipients_skipped: [
    "The message reached some recipients, but not all. The attempts show who didn't get it, and why.",
    "Update the channel's recipients.",
  ],
  ticket_login_failed: [
    'The tracker rejected the token.',
    'Create another token and save it in the channel.',
  ],
  ticket_forbidden: [
    "The token isn't allowed to do this.",
    "Check the token's permissions. The channel's form lists the ones that it needs.",
  ],
  ticket_project_not_found: [
    "The project wasn't found, or the token can't see it.",
    "Check the channel's project and the token's permissions.",
  ],
  ticket_rejected: [
    'The tracker rejected the ticket.',
    'Check the error in the attempt details, change the channel or the project, then retry the delivery.',
  ],
  ticket_limited: ["The tracker's rate limit is reached.", 'No action needed. Pacekeeper retries.'],
  ticket_not_closed: [
    "The ticket can't be closed.",
    'Check the error in the attempt details, or close the ticket in the tracker.',
  ],
  ticket_elsewhere: [
    'The ticket was created on a different server than the one that the channel uses now.',
    'Close the ticket there.',
  ],
  ticket_search_incomplete: [
    'The tracker lists too many issues to find out whether the ticket exists.',
    'Look for the ticket in the tracker. If it exists, close it there when the alert is resolved.',
  ],
  no_ticket: ['The event neither opens nor closes a ticket, so nothing was sent.', 'No action needed.'],
  no_incident: [
    'No later event ends this one, so it opens no incident and nothing was sent.',
    'To get it, send it to another channel with a notification rule that lists its event type.',
  ],
  superseded: [
    'While this message was waiting, another one replaced it, or the alert was resolved, acknowledged, or snoozed.',
    'No action needed.',
  ],
  snoozed: ['The alert is snoozed.', 'End the snooze to resume notifications.'],
  silenced: ['A silence matches the alert.', 'End the silence to resume notifications.'],
} as const satisfies Record<string, readonly [message: string, remedy: string]>;

export type DeliveryErrorCode = keyof typeof deliveryCodes;
