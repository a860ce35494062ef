import type { PresetOptions } from '../../../../domain/templates/presets.ts';
import { type SecretBox, SecretBoxError, type SecretContext } from '../../../../platform/secrets/index.ts';

/** Encrypted columns of a channel. Each value can be decrypted only for its organization, row, and column. */
export type SealedChannelColumn =
  | 'url_sealed'
  | 'closing_path_sealed'
  | 'preset_options_sealed'
  | 'headers_sealed'
  | 'signing_secret_sealed'
  | 'previous_signing_secret_sealed'
  | 'tracker_sealed';

export type SealedChannel = Record<SealedChannelColumn, Buffer | null>;

/**
 * Decrypted values that are required to send to a channel. They must never be stored, logged, or returned.
 */
export interface ChannelSecrets {
  url: string;
  /**
   * Path, on the host of the URL, to which the resolution of an alert is sent. `null` if resolutions are sent
   * to the URL itself.
   */
  closingPath: string | null;
  presetOptions: PresetOptions;
  headers: Readonly<Record<string, string>>;
  signingSecret: string | null;
  previousSigningSecret: string | null;
  /** Access token of a tracker. `null` for other channel types. */
  token: string | null;
}

/**
 * Seals the value of one column. Preset options, headers, and the URL and token of a tracker are sealed as
 * JSON objects of strings.
 */
export function sealChannelColumn(
  secretBox: SecretBox,
  organizationId: number,
  channelId: number,
  column: SealedChannelColumn,
  value: string | Readonly<Record<string, string>>,
): Buffer {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return secretBox.seal(text, contextOf(organizationId, channelId, column));
}

/** @throws SecretBoxError If a value was sealed with an unknown key. */
export function unsealChannelSecrets(
  secretBox: SecretBox,
  organizationId: number,
  channelId: number,
  sealed: SealedChannel,
): ChannelSecrets {
  const open = (column: SealedChannelColumn) => {
    const bytes = sealed[column];
    // `url_sealed` is empty for trackers and for channels without a URL.
    return bytes === null || bytes.length === 0
      ? null
      : secretBox.openText(bytes, contextOf(organizationId, channelId, column));
  };
  const tracker = toStrings(open('tracker_sealed'));
  return {
    url: open('url_sealed') ?? tracker['url'] ?? '',
    closingPath: open('closing_path_sealed'),
    presetOptions: toStrings(open('preset_options_sealed')),
    headers: toStrings(open('headers_sealed')),
    signingSecret: open('signing_secret_sealed'),
    previousSigningSecret: open('previous_signing_secret_sealed'),
    token: tracker['token'] ?? null,
  };
}

/**
 * Works like `unsealChannelSecrets`, but returns `null` if a value can't be decrypted, for callers that show or update
 * such channels.
 */
export function tryUnsealChannelSecrets(
  ...args: Parameters<typeof unsealChannelSecrets>
): ChannelSecrets | null {
  try {
    return unsealChannelSecrets(...args);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return null;
  }
}

function contextOf(organizationId: number, rowId: number, column: SealedChannelColumn): SecretContext {
  return { organizationId, table: 'notification_channels', rowId, column };
}

/**
 * Parses JSON written by `sealChannelColumn`. Only values sealed with the secret key can be decrypted, so no
 * validation is needed.
 */
function toStrings(json: string | null): Record<string, string> {
  return json === null ? {} : (JSON.parse(json) as Record<string, string>);
}
