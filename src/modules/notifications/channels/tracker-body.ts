import {
  isTracker,
  normalizeProject,
  normalizeTrackerUrl,
  type TrackerType,
  trackers,
} from '../../../domain/tickets/trackers.ts';
import type { FieldError } from '../../../platform/errors.ts';
import type { SealedChannelColumn } from '../deliveries/secrets/channel-secrets.ts';
import type { ChannelBody, PreviousChannel } from './channel-body.ts';
import type { ChannelValues } from './channel-queries.ts';
import { invalidChannelError } from './channel-refused.ts';
import { maskUrl } from './webhook-url.ts';

/**
 * Returns the columns that belong to trackers. The URL and the token are sealed together.
 *
 * @throws ApiError 400 if a field is missing or invalid.
 */
export function trackerValues(
  type: TrackerType,
  before: PreviousChannel,
  body: ChannelBody,
  seal: (column: SealedChannelColumn, value: Readonly<Record<string, string>>) => Buffer,
): Partial<ChannelValues> {
  const errors: FieldError[] = [];
  const { urlDefault } = trackers[type];
  const isNew = body.channel_type !== undefined;
  // Other fields can change even if the URL and the token can't be decrypted.
  const staysUnreadable = before.unreadable !== null && body.url === undefined && body.token === undefined;
  const givenUrl = body.url ?? (body.url === null || isNew ? urlDefault : before.url || null);
  if (givenUrl === null && !staysUnreadable) errors.push({ field: 'url', message: 'is required' });
  else if (givenUrl !== null && /[?#{}]/.test(givenUrl))
    errors.push({ field: 'url', message: 'must end without a query or fragment, and without variables' });
  const project = body.project === undefined ? before.project : body.project;
  const normalized = project === null ? null : normalizeProject(type, project);
  if (normalized === null) errors.push({ field: 'project', message: 'is required' });
  else if (!normalized.ok) errors.push({ field: 'project', message: normalized.message });
  const token = body.token === undefined ? before.token : body.token;
  if (token === null && !staysUnreadable) errors.push({ field: 'token', message: 'is required' });
  const issueType = body.issue_type === undefined ? before.issue_type : body.issue_type;
  if (type === 'jira' && issueType === null) errors.push({ field: 'issue_type', message: 'is required' });
  for (const field of ['issue_type', 'account_email'] as const)
    if (type !== 'jira' && body[field] != null)
      errors.push({ field, message: 'requires `channel_type` jira' });
  const badLabel = (body.ticket_labels ?? []).findIndex((label) =>
    (type === 'jira' ? /\s/ : /,/).test(label),
  );
  if (badLabel !== -1) {
    const what = type === 'jira' ? 'white space' : 'commas';
    errors.push({ field: `ticket_labels.${badLabel}`, message: `can't contain ${what}` });
  }
  if (errors.length > 0 || normalized === null || !normalized.ok) throw invalidChannelError(errors);
  const url = givenUrl && normalizeTrackerUrl(type, givenUrl);
  const { issue_type, account_email, ticket_labels } = body;
  return {
    ...(body.project !== undefined && { project: normalized.project }),
    ...(issue_type !== undefined && { issue_type }),
    ...(account_email !== undefined && { account_email }),
    ...(ticket_labels !== undefined && { ticket_labels }),
    ...(url !== null &&
      token !== null &&
      (url !== before.url || token !== before.token) && {
        tracker_sealed: seal('tracker_sealed', { url, token }),
        url_masked: maskUrl(url),
      }),
  };
}

/** Returns the URL after a change. Setting a tracker's URL to `null` selects the default of its type. */
export function urlAfterChange(before: PreviousChannel, { url }: ChannelBody): string {
  if (url === null && isTracker(before.channel_type))
    return trackers[before.channel_type].urlDefault ?? before.url;
  return url ?? before.url;
}
