import { randomBytes } from 'node:crypto';
import {
  originOf,
  type StoredChannelSecrets,
  secretsToReenter,
  targetChange,
} from '../../../domain/channels/channel-target.ts';
import { deliveryCodes } from '../../../domain/channels/delivery-codes.ts';
import { normalizeRecipient, normalizeRecipients } from '../../../domain/channels/email-recipients.ts';
import type { SuccessCondition } from '../../../domain/channels/receiver-response.ts';
import { findClosingPathIssue } from '../../../domain/channels/request-address.ts';
import type {
  BodyFormat,
  ClosingMethod,
  RequestFormat,
  RequestMethod,
} from '../../../domain/channels/request-format.ts';
import type { AlertSeverity } from '../../../domain/rules/severity.ts';
import { parseCron } from '../../../domain/scheduling/cron-expression.ts';
import { isEmptyHours, type SendingHours } from '../../../domain/scheduling/sending-hours.ts';
import { isTimeZone } from '../../../domain/scheduling/time-zone.ts';
import { checkHeaders } from '../../../domain/templates/check-headers.ts';
import { checkPresetOptions, isPerAlertPreset, type PresetId } from '../../../domain/templates/presets.ts';
import { isTracker, trackerTypes } from '../../../domain/tickets/trackers.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Mailer } from '../../../platform/email/index.ts';
import { ApiError, type FieldError } from '../../../platform/errors.ts';
import { parseSigningSecret, type SecretBox } from '../../../platform/secrets/index.ts';
import { checkTemplates, type TemplateSandbox, templateFieldErrors } from '../../settings/index.ts';
import {
  type ChannelSecrets,
  type SealedChannelColumn,
  sealChannelColumn,
} from '../deliveries/secrets/channel-secrets.ts';
import { findAllowedRecipients } from '../deliveries/send/email-policy.ts';
import { isDifferent } from './changed-secrets.ts';
import type { ChannelTemplates, ChannelType, ChannelValues } from './channel-queries.ts';
import { invalidChannelError } from './channel-refused.ts';
import { trackerValues, urlAfterChange } from './tracker-body.ts';
import { findUrlIssues, maskUrl, type UrlPolicy } from './webhook-url.ts';

/** The fields of a channel in a request. Missing fields keep their values. */
export interface ChannelBody {
  name?: string;
  /** Set only for a new channel. */
  channel_type?: ChannelType;
  url?: string | null;
  recipients?: readonly string[];
  project?: string | null;
  issue_type?: string | null;
  account_email?: string | null;
  ticket_labels?: string[];
  token?: string | null;
  template?: string | null;
  templates?: ChannelTemplates;
  preset?: PresetId;
  preset_options?: Record<string, string>;
  /** `null` keeps the stored value of a header. */
  headers?: Record<string, string | null>;
  signing_secret?: string | null;
  digest_minutes?: number | null;
  digest_schedule?: string | null;
  sending_hours?: SendingHours[];
  timezone?: string;
  always_for?: AlertSeverity[];
  owners?: string[];
  success_condition?: SuccessCondition | null;
  request_method?: RequestMethod;
  body_format?: BodyFormat;
  closing_path?: string | null;
  closing_method?: ClosingMethod;
  require_login_to_acknowledge?: boolean;
  is_active?: boolean;
}

/** The channel before a change. A new channel starts empty. */
export interface PreviousChannel extends ChannelSecrets, RequestFormat {
  channel_type: ChannelType;
  preset: PresetId;
  digest_minutes: number | null;
  digest_schedule: string | null;
  interactivity_id: string | null;
  project: string | null;
  issue_type: string | null;
  account_email: string | null;
  /** The stored secrets if they can't be decrypted and are therefore treated as not set, otherwise `null`. */
  unreadable: StoredChannelSecrets | null;
}

export const newChannel: PreviousChannel = {
  channel_type: 'webhook',
  url: '',
  preset: 'generic',
  presetOptions: {},
  headers: {},
  signingSecret: null,
  previousSigningSecret: null,
  token: null,
  project: null,
  issue_type: null,
  account_email: null,
  digest_minutes: null,
  digest_schedule: null,
  interactivity_id: null,
  request_method: 'POST',
  body_format: 'json',
  closingPath: null,
  closing_method: 'POST',
  unreadable: null,
};

export interface ChannelBodyDeps {
  db: Database;
  sandbox: TemplateSandbox;
  urlPolicy: UrlPolicy;
  mailer: Pick<Mailer, 'domains'> | null;
}

/**
 * Rejects (400) values that are invalid regardless of the stored channel: URL, recipients, templates, signing
 * secret, and times.
 */
export async function checkChannelBody(
  { db, sandbox, urlPolicy, mailer }: ChannelBodyDeps,
  organizationId: number,
  body: ChannelBody,
): Promise<void> {
  const errors: FieldError[] = [];
  if (body.url != null) {
    errors.push(
      ...findUrlIssues(body.url, urlPolicy, { hasVariables: true }).map(({ message }) => ({
        field: 'url',
        message,
      })),
    );
  }
  const closingIssue = body.closing_path == null ? null : findClosingPathIssue(body.closing_path);
  if (closingIssue !== null) errors.push({ field: 'closing_path', message: closingIssue });
  if (body.signing_secret != null && parseSigningSecret(body.signing_secret) === null) {
    errors.push({ field: 'signing_secret', message: 'must be whsec_ followed by 24 to 64 bytes in base64' });
  }
  errors.push(...(await findRecipientIssues(db, mailer, organizationId, body)));
  errors.push(...findTimeIssues(body));
  const { new_alert, acknowledged, resolved } = body.templates ?? {};
  const templates = [
    { field: 'template', source: body.template, category: null },
    { field: 'templates.new_alert', source: new_alert, category: 'new_alert' as const },
    { field: 'templates.acknowledged', source: acknowledged, category: 'acknowledged' as const },
    { field: 'templates.resolved', source: resolved, category: 'resolved' as const },
  ].flatMap(({ field, source, category }) => (source == null ? [] : { field, source, category }));
  const checks = await checkTemplates(sandbox, organizationId, templates);
  errors.push(...checks.flatMap((check, index) => templateFieldErrors(templates[index]!.field, check)));
  if (errors.length > 0) throw invalidChannelError(errors);
}

async function findRecipientIssues(
  db: Database,
  mailer: ChannelBodyDeps['mailer'],
  organizationId: number,
  { channel_type, recipients = [] }: ChannelBody,
): Promise<FieldError[]> {
  if (channel_type === 'email' && mailer === null)
    return [
      { field: 'channel_type', message: `can't be email. ${deliveryCodes.email_unavailable.join(' ')}` },
    ];
  const domains = mailer?.domains ?? [];
  const addresses = normalizeRecipients(recipients);
  const allowed = await findAllowedRecipients(db, organizationId, addresses, domains);
  return recipients.flatMap((address, index) =>
    allowed.has(normalizeRecipient(address))
      ? []
      : [{ field: `recipients.${index}`, message: notAllowedMessage(domains) }],
  );
}

function notAllowedMessage(domains: readonly string[]): string {
  const list = new Intl.ListFormat('en-US', { type: 'disjunction' });
  const others = domains.length === 0 ? '' : `, or be in ${list.format(domains)}`;
  return `must be the email address of a member of the organization${others}. An operator can allow other domains with PACEKEEPER_EMAIL_DOMAINS`;
}

function findTimeIssues({ digest_schedule, sending_hours = [], timezone }: ChannelBody): FieldError[] {
  const errors: FieldError[] = [];
  const cron = digest_schedule == null ? null : parseCron(digest_schedule);
  if (cron?.ok === false) errors.push({ field: 'digest_schedule', message: cron.message });
  for (const [index, hours] of sending_hours.entries()) {
    if (isEmptyHours(hours))
      errors.push({
        field: `sending_hours.${index}.to`,
        message: 'must differ from `from`; use 00:00 to 24:00 for whole days',
      });
  }
  if (timezone !== undefined && !isTimeZone(timezone))
    errors.push({ field: 'timezone', message: 'must be a time zone name, such as Europe/Berlin' });
  return errors;
}

/**
 * Returns the values to write, with changed secrets sealed for the row. Throws 400 for preset options and
 * headers that aren't valid for the resulting channel, and for a new target that would receive stored
 * secrets. The caller must hold the row lock.
 */
export function toChannelValues(
  secretBox: SecretBox,
  organizationId: number,
  id: number,
  before: PreviousChannel,
  body: ChannelBody,
): Partial<ChannelValues> {
  const seal = (column: SealedChannelColumn, value: string | Readonly<Record<string, string>>) =>
    sealChannelColumn(secretBox, organizationId, id, column, value);
  const sealAll = (column: SealedChannelColumn, value: Readonly<Record<string, string>>) =>
    Object.keys(value).length === 0 ? null : seal(column, value);

  const channelType = body.channel_type ?? before.channel_type;
  checkType(channelType, body);
  const isOtherOrigin = checkTarget(before, body) === 'origin';
  // If a request sets or removes a secret, overwrite the stored value even if it can't be decrypted.
  // Otherwise, restoring the key would bring back removed secrets.
  const isUnreadable = before.unreadable !== null;
  checkRequestFormat(before, body);
  checkDigest(before, body);
  const { name, recipients, template, templates, digest_minutes, require_login_to_acknowledge, is_active } =
    body;
  const { digest_schedule, sending_hours, timezone, always_for, owners, success_condition } = body;
  const { request_method, body_format, closing_path, closing_method } = body;
  const values: Partial<ChannelValues> = {
    ...(name !== undefined && { name }),
    ...(body.channel_type !== undefined && { channel_type: channelType }),
    ...(recipients !== undefined && { recipients: normalizeRecipients(recipients) }),
    ...(template !== undefined && { template }),
    ...(templates !== undefined && { templates }),
    ...(digest_minutes !== undefined && { digest_minutes }),
    ...(digest_schedule !== undefined && { digest_schedule }),
    ...(sending_hours !== undefined && { sending_hours }),
    ...(timezone !== undefined && { timezone }),
    ...(always_for !== undefined && { always_for }),
    ...(owners !== undefined && { owners }),
    ...(success_condition !== undefined && { success_condition }),
    ...(request_method !== undefined && { request_method }),
    ...(body_format !== undefined && { body_format }),
    ...(closing_method !== undefined && { closing_method }),
    ...(require_login_to_acknowledge !== undefined && { require_login_to_acknowledge }),
    ...(is_active !== undefined && { is_active }),
  };
  if (isTracker(channelType)) Object.assign(values, trackerValues(channelType, before, body, seal));
  else if (body.url != null && body.url !== before.url) {
    values.url_sealed = seal('url_sealed', body.url);
    values.url_masked = maskUrl(body.url);
  }
  if (closing_path !== undefined && (closing_path !== before.closingPath || isUnreadable))
    values.closing_path_sealed = closing_path === null ? null : seal('closing_path_sealed', closing_path);
  if (body.preset !== undefined || body.preset_options !== undefined) {
    const { preset, options } = presetAfter(before, body);
    values.preset = preset;
    const isNamed = body.preset_options !== undefined;
    if (isDifferent(before.presetOptions, options) || (isUnreadable && isNamed))
      values.preset_options_sealed = sealAll('preset_options_sealed', options);
    if (before.interactivity_id === null && options['slack_signing_secret'] !== undefined)
      // The ID has 128 random bits, so it can't be guessed. Rotating the secret keeps the ID, because users paste the
      // URL that contains it into Slack.
      values.interactivity_id = randomBytes(16).toString('base64url');
  }
  if (body.headers !== undefined) {
    const headers = headersAfter(before.headers, body.headers);
    if (isDifferent(before.headers, headers) || isUnreadable) {
      values.headers_sealed = sealAll('headers_sealed', headers);
      values.header_names = Object.keys(headers);
    }
  }
  const secret = body.signing_secret;
  const isOtherSecret = secret !== undefined && (secret !== before.signingSecret || isUnreadable);
  if (isOtherSecret) {
    // Keep no previous secret for a different origin, because it's a different receiver, which never had that
    // secret.
    const previous = secret === null || isOtherOrigin ? null : before.signingSecret;
    values.signing_secret_sealed = secret === null ? null : seal('signing_secret_sealed', secret);
    values.previous_signing_secret_sealed =
      previous === null ? null : seal('previous_signing_secret_sealed', previous);
    values.keepsPreviousSecret = previous !== null;
  } else if (isOtherOrigin) {
    values.previous_signing_secret_sealed = null;
    values.keepsPreviousSecret = false;
  }
  return values;
}

/** Rejects (400) fields of another channel type and missing fields that the type requires. */
function checkType(type: ChannelType, body: ChannelBody): void {
  const errors: FieldError[] = [];
  if (type !== 'email' && body.recipients !== undefined && body.recipients.length > 0)
    errors.push({ field: 'recipients', message: 'requires `channel_type` email' });
  if (!isTracker(type)) {
    const given = [
      ['project', body.project != null],
      ['issue_type', body.issue_type != null],
      ['account_email', body.account_email != null],
      ['ticket_labels', (body.ticket_labels ?? []).length > 0],
      ['token', body.token != null],
    ] as const;
    const list = new Intl.ListFormat('en-US', { type: 'disjunction' });
    for (const [field, isGiven] of given)
      if (isGiven) errors.push({ field, message: `requires \`channel_type\` ${list.format(trackerTypes)}` });
  }
  if (type === 'webhook') {
    if (body.url === null) errors.push({ field: 'url', message: 'is required' });
  } else {
    if (type === 'email' && body.recipients?.length === 0)
      errors.push({ field: 'recipients', message: 'must have at least 1 item' });
    const given = [
      ['url', type === 'email' && body.url != null],
      ['digest_minutes', isTracker(type) && body.digest_minutes != null],
      ['digest_schedule', isTracker(type) && body.digest_schedule != null],
      ['template', body.template != null],
      ['templates', Object.keys(body.templates ?? {}).length > 0],
      ['preset', (body.preset ?? 'generic') !== 'generic'],
      ['preset_options', Object.keys(body.preset_options ?? {}).length > 0],
      ['headers', Object.keys(body.headers ?? {}).length > 0],
      ['signing_secret', body.signing_secret != null],
      ['success_condition', body.success_condition != null],
      ...formFields({ ...defaultForm, ...body }),
    ] as const;
    for (const [field, isGiven] of given)
      if (isGiven) errors.push({ field, message: unusedMessage(type, field) });
  }
  if (errors.length > 0) throw invalidChannelError(errors);
}

function unusedMessage(type: ChannelType, field: string): string {
  if (type === 'email') return "isn't used by email channels; omit it";
  return field.startsWith('digest_')
    ? "can't be used: each alert has a ticket; omit it"
    : "isn't used by channels that create tickets; omit it";
}

/** The fields of a request that determine the form of a channel's requests. */
interface RequestFields extends RequestFormat {
  closing_path: string | null;
}

const defaultForm: RequestFields = {
  request_method: newChannel.request_method,
  body_format: newChannel.body_format,
  closing_path: newChannel.closingPath,
  closing_method: newChannel.closing_method,
};

/**
 * Returns the fields that determine the form of requests, and whether each differs from the form that presets
 * use.
 */
function formFields({ request_method, body_format, closing_path, closing_method }: RequestFields) {
  return [
    ['request_method', request_method !== defaultForm.request_method],
    ['body_format', body_format !== defaultForm.body_format],
    ['closing_path', closing_path !== null],
    ['closing_method', closing_path === null && closing_method !== defaultForm.closing_method],
  ] as const;
}

/**
 * Rejects (400) a different form of requests for a preset, because the preset's platform accepts only one
 * form.
 */
function checkRequestFormat(before: PreviousChannel, body: ChannelBody): void {
  const { preset, ...form } = { ...before, closing_path: before.closingPath, ...body };
  const errors = formFields(form).flatMap(([field, isSet]): FieldError[] => {
    if (!isSet) return [];
    if (field === 'closing_method')
      return [{ field, message: 'requires `closing_path`; set this field to POST' }];
    return preset === 'generic'
      ? []
      : [
          {
            field,
            message: `can't be used with the preset \`${preset}\`; set this field to ${JSON.stringify(defaultForm[field])}`,
          },
        ];
  });
  if (errors.length > 0) throw invalidChannelError(errors);
}

/**
 * Rejects (400) a digest with both an interval and a schedule, and any digest for a channel that opens or closes an
 * item for each alert.
 */
function checkDigest(before: PreviousChannel, body: ChannelBody): void {
  const { digest_minutes, digest_schedule } = body;
  const minutes = digest_minutes === undefined ? before.digest_minutes : digest_minutes;
  const schedule = digest_schedule === undefined ? before.digest_schedule : digest_schedule;
  const preset = body.preset ?? before.preset;
  const closingPath = body.closing_path === undefined ? before.closingPath : body.closing_path;
  if (isPerAlertPreset(preset) || closingPath !== null) {
    const errors = [
      { field: 'digest_minutes', isSet: minutes !== null },
      { field: 'digest_schedule', isSet: schedule !== null },
    ].flatMap(({ field, isSet }): FieldError[] =>
      isSet ? [{ field, message: perAlertMessage(preset, closingPath !== null) }] : [],
    );
    if (errors.length > 0) throw invalidChannelError(errors);
  }
  if (minutes === null || schedule === null) return;
  const [field, other] =
    digest_schedule == null ? ['digest_minutes', 'digest_schedule'] : ['digest_schedule', 'digest_minutes'];
  throw invalidChannelError([
    { field, message: `can't be combined with \`${other}\`; set one of them to null` },
  ]);
}

function perAlertMessage(preset: PresetId, hasClosingPath: boolean): string {
  const cause = hasClosingPath
    ? '`closing_path`, which closes each alert'
    : `the preset \`${preset}\`, which sends each alert separately`;
  return `can't be used with ${cause}; set this field to null`;
}

/**
 * Rejects (400) a different origin or preset while the channel keeps secrets that the request doesn't
 * include.
 */
function checkTarget(before: PreviousChannel, body: ChannelBody): ReturnType<typeof targetChange> {
  const after = { url: urlAfterChange(before, body), preset: body.preset ?? before.preset };
  const change = targetChange(before, after);
  if (change === null) return null;
  const stored = before.unreadable ?? {
    headerNames: Object.keys(before.headers),
    hasClosingPath: before.closingPath !== null,
    hasPresetOptions: Object.keys(before.presetOptions).length > 0,
    hasSigningSecret: before.signingSecret !== null,
    hasToken: before.token !== null,
  };
  const fields = secretsToReenter(stored, body);
  if (fields.length === 0) return change;
  const from = before.unreadable ? "a URL that can't be decrypted" : originOf(before.url);
  const what =
    change === 'origin'
      ? `The URL changes from ${from} to ${originOf(after.url)}`
      : `The preset changes from ${before.preset} to ${after.preset}`;
  throw new ApiError(
    'validation_failed',
    `${what}, and stored secrets are never sent to a new receiver. Send again or remove: ${fields.join(', ')}.`,
    { errors: fields.map((field) => ({ field, message: enterAgain(field) })) },
  );
}

function enterAgain(field: string): string {
  if (field === 'token') return 'must be sent again';
  if (field === 'preset_options') return 'must be sent again; {} removes the stored options';
  if (field === 'signing_secret' || field === 'closing_path') return 'must be sent again; null removes it';
  return 'must be sent again with its value; omit the header to remove it';
}

/** Options belong to a preset, so a different preset doesn't inherit them. */
function presetAfter(before: PreviousChannel, body: ChannelBody) {
  const preset = body.preset ?? before.preset;
  const options = body.preset_options ?? (preset === before.preset ? before.presetOptions : {});
  const errors = checkPresetOptions(preset, options);
  if (errors.length > 0) {
    throw invalidChannelError(
      errors.map(({ option, message }) => ({ field: `preset_options.${option}`, message })),
    );
  }
  return { preset, options };
}

/**
 * Returns the headers after a change. Header names are case-insensitive, so `x-team` keeps the stored value
 * of `X-Team`.
 */
function headersAfter(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const kept = new Map(Object.entries(before).map(([name, value]) => [name.toLowerCase(), value]));
  const errors: FieldError[] = [];
  const headers = Object.entries(given).flatMap(([name, value]) => {
    const after = value ?? kept.get(name.toLowerCase());
    if (after !== undefined) return [[name, after] as const];
    errors.push({ field: `headers.${name}`, message: 'has no stored value to keep' });
    return [];
  });
  const after = Object.fromEntries(headers);
  for (const { name, message } of checkHeaders(after)) {
    errors.push({ field: name === null ? 'headers' : `headers.${name}`, message });
  }
  if (errors.length > 0) throw invalidChannelError(errors);
  return after;
}
