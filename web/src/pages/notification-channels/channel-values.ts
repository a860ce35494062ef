import { originOf, secretsToReenter, targetChange } from '../../../../src/domain/channels/channel-target.ts';
import type {
  BodyFormat,
  ClosingMethod,
  RequestFormat,
  RequestMethod,
} from '../../../../src/domain/channels/request-format.ts';
import type { SendingHours } from '../../../../src/domain/scheduling/sending-hours.ts';
import { isPerAlertPreset, type PresetId, presets } from '../../../../src/domain/templates/presets.ts';
import { bodyDefaults } from '../../../../src/generated/body-defaults.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { type HeaderRow, toHeaders } from './header-fields.tsx';
import type { SecretChange } from './signing-secret-field.tsx';

const ownTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

type Channel = Schemas['NotificationChannel'];

/** Form values that all channel types share. Their names match the field names in server errors. */
export interface SharedChannelValues extends Record<string, unknown> {
  digest_minutes: number | '';
  /** Cron expression. An empty string means no schedule. */
  digest_schedule: string;
  sending_hours: SendingHours[];
  timezone: string;
  always_for: string[];
  /** Values of the owner label. */
  owners: string[];
  require_login_to_acknowledge: boolean;
}

/** Form values of a channel that uses webhooks. */
export interface ChannelFormValues extends SharedChannelValues {
  name: string;
  url: string;
  preset: PresetId;
  preset_options: Record<string, string>;
  /** True if the stored options are removed. Only possible if the preset doesn't require any. */
  removes_options: boolean;
  headers: HeaderRow[];
  signing_secret: SecretChange;
  /** Empty strings mean no condition. */
  success_condition: { path: string; equals: string };
  request_method: RequestMethod;
  body_format: BodyFormat;
  /** An empty string means none. */
  closing_path: string;
  closing_method: ClosingMethod;
}

export function sendingValues(channel?: Channel): SharedChannelValues {
  const { always_for, owners, require_login_to_acknowledge } =
    channel ?? bodyDefaults.createNotificationChannel;
  return {
    digest_minutes: channel?.digest_minutes ?? '',
    digest_schedule: channel?.digest_schedule ?? '',
    sending_hours: channel?.sending_hours ?? [],
    timezone: channel?.timezone ?? ownTimeZone,
    always_for,
    owners,
    require_login_to_acknowledge,
  };
}

/** @returns The fields that all channel types share. */
export function toSendingTimes({ sending_hours, timezone, always_for, owners }: SharedChannelValues) {
  return { sending_hours, timezone, always_for: always_for as Schemas['AlertSeverity'][], owners };
}

/** @returns The fields shared by all channel types other than those that create tickets. */
export function toSharedChannelFields(values: SharedChannelValues) {
  const { digest_minutes, digest_schedule, require_login_to_acknowledge } = values;
  return {
    digest_minutes: digest_minutes === '' ? null : digest_minutes,
    digest_schedule: digest_schedule.trim() === '' ? null : digest_schedule.trim(),
    ...toSendingTimes(values),
    require_login_to_acknowledge,
  };
}

export function channelFormValues(preset: PresetId, channel?: Channel): ChannelFormValues {
  const { urlDefault, header, options } = presets[preset];
  const { request_method, body_format, closing_path, closing_method } =
    channel ?? bodyDefaults.createNotificationChannel;
  return {
    name: channel?.name ?? presets[preset].label,
    url: channel?.url ?? urlDefault ?? '',
    preset,
    preset_options: Object.fromEntries(options.map(({ name }) => [name, ''])),
    removes_options: false,
    headers: channel
      ? Object.keys(channel.headers).map((name) => ({ name, value: '', isKept: true }))
      : header === undefined
        ? []
        : [{ name: header, value: '', isKept: false }],
    signing_secret: { kind: 'keep' },
    success_condition: {
      path: channel?.success_condition?.path ?? '',
      equals: String(channel?.success_condition?.equals ?? ''),
    },
    request_method,
    body_format,
    closing_path: closing_path ?? '',
    closing_method,
    ...sendingValues(channel),
  };
}

/**
 * True if the channel can combine events into digests. Channels that send a separate request to open or close
 * each alert can't.
 */
export function hasDigests({ preset, closing_path }: ChannelFormValues): boolean {
  return !isPerAlertPreset(preset) && (preset !== 'generic' || closing_path.trim() === '');
}

/** Optional fields of the channel form that apply only to some platforms. */
export interface ShownFields {
  headers: boolean;
  signingSecret: boolean;
  successResponse: boolean;
}

/**
 * Returns the optional fields that apply to the platform of the form. A field with a value applies to every platform, so
 * that nothing hidden is sent, and stored values can be removed.
 */
export function shownFields(
  { preset, headers, signing_secret, success_condition }: ChannelFormValues,
  channel?: Channel,
): ShownFields {
  const { receiver } = presets[preset];
  return {
    headers: receiver !== 'hosted' || headers.length > 0,
    signingSecret:
      receiver === 'custom' || channel?.has_signing_secret === true || signing_secret.kind !== 'keep',
    successResponse:
      receiver === 'custom' || channel?.success_condition != null || success_condition.equals.trim() !== '',
  };
}

export type ChannelBody = Omit<Schemas['CreateNotificationChannelRequest'], 'headers'> & {
  headers?: Record<string, string | null>;
};

/**
 * Returns the reason that stored secrets aren't kept: the form has another origin or preset. Returns `null`
 * while they're kept.
 */
export function secretsDroppedReason(
  { url, preset }: Pick<ChannelFormValues, 'url' | 'preset'>,
  channel?: Channel,
): ReturnType<typeof targetChange> {
  // While the user types, the URL can be incomplete and have no origin. The secrets are kept until it has one.
  return channel === undefined || originOf(url) === null
    ? null
    : targetChange({ ...channel, url: channel.url ?? '' }, { url, preset });
}

/**
 * Returns the secrets that must be entered again or removed before the form can be submitted for a new
 * target.
 */
export function secretsToEnter(values: ChannelFormValues, channel?: Channel): string[] {
  if (!channel || secretsDroppedReason(values, channel) === null) return [];
  const stored = {
    headerNames: Object.keys(channel.headers),
    hasClosingPath: channel.closing_path !== null,
    hasPresetOptions: channel.has_preset_options,
    hasSigningSecret: channel.has_signing_secret,
    hasToken: channel.has_token,
  };
  return secretsToReenter(stored, toChannelBody(values, channel));
}

/**
 * Returns the request body. Secrets that weren't entered are omitted, so that the server keeps the stored
 * ones.
 */
export function toChannelBody(values: ChannelFormValues, channel?: Channel): ChannelBody {
  const { name, url, preset, preset_options, removes_options, headers, signing_secret } = values;
  const typed = Object.fromEntries(
    Object.entries(preset_options)
      .map(([name, value]) => [name, value.trim()])
      .filter(([, value]) => value !== ''),
  );
  // Stored options apply only to the stored target. Without entered options, a new target has none.
  const keepsOptions =
    channel !== undefined &&
    secretsDroppedReason(values, channel) === null &&
    Object.keys(typed).length === 0 &&
    !removes_options;
  const secret =
    signing_secret.kind === 'keep'
      ? {}
      : { signing_secret: signing_secret.kind === 'set' ? signing_secret.secret : null };
  return {
    name,
    url,
    preset,
    ...toSharedChannelFields(values),
    ...(!hasDigests(values) && {
      digest_minutes: null,
      digest_schedule: null,
    }),
    ...(!keepsOptions && { preset_options: typed }),
    headers: toHeaders(headers),
    ...secret,
    success_condition: toCondition(values.success_condition),
    ...toRequestForm(values),
  };
}

/** Presets define the format of their requests, so the entered values apply only to the generic webhook. */
function toRequestForm({
  preset,
  ...values
}: ChannelFormValues): RequestFormat & { closing_path: string | null } {
  const { request_method, body_format, closing_path, closing_method } =
    bodyDefaults.createNotificationChannel;
  if (preset !== 'generic') return { request_method, body_format, closing_path, closing_method };
  const path = values.closing_path.trim();
  return {
    request_method: values.request_method,
    body_format: values.body_format,
    closing_path: path === '' ? null : path,
    closing_method: path === '' ? closing_method : values.closing_method,
  };
}

/**
 * Converts a success condition to the request format. If the condition has a path, the expected value is
 * compared with a JSON value, so numbers and booleans are parsed.
 */
function toCondition({
  path,
  equals,
}: ChannelFormValues['success_condition']): Schemas['SuccessCondition'] | null {
  const [trimmedPath, value] = [path.trim(), equals.trim()];
  if (value === '') return null;
  if (trimmedPath === '') return { path: null, equals: value };
  const isJson = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/u.test(value);
  return { path: trimmedPath, equals: isJson ? (JSON.parse(value) as number | boolean) : value };
}
