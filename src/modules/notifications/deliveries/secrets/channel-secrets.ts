import type { PresetOptions } from '../../../../domain/templates/presets.ts';
import { type SecretBox, SecretBoxError, type SecretContext } from '../../../../platform/secrets/index.ts';

/** What of a channel is encrypted. Each value opens in its own organization, row and column only. */
export type SealedChannelColumn =
  | 'url_sealed'
  | 'preset_options_sealed'
  | 'headers_sealed'
  | 'signing_secret_sealed'
  | 'previous_signing_secret_sealed'
  | 'tracker_sealed';

export type SealedChannel = Record<SealedChannelColumn, Buffer | null>;

/** What sending needs of a channel, in the clear: never stored, logged or answered. */
export interface ChannelSecrets {
  url: string;
  presetOptions: PresetOptions;
  headers: Readonly<Record<string, string>>;
  signingSecret: string | null;
  previousSigningSecret: string | null;
  /** Of a tracker. */
  token: string | null;
}

/** The bytes of one sealed column. Preset options, headers, and the URL with the token of a tracker
 * are sealed as JSON objects of strings. */
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

/** @throws SecretBoxError when a value was sealed with a key that is not known here */
export function openChannel(
  secretBox: SecretBox,
  organizationId: number,
  channelId: number,
  sealed: SealedChannel,
): ChannelSecrets {
  const open = (column: SealedChannelColumn) => {
    const bytes = sealed[column];
    // A channel without a URL, and a tracker, have an empty one.
    return bytes === null || bytes.length === 0
      ? null
      : secretBox.openText(bytes, contextOf(organizationId, channelId, column));
  };
  const tracker = toStrings(open('tracker_sealed'));
  return {
    url: open('url_sealed') ?? tracker['url'] ?? '',
    presetOptions: toStrings(open('preset_options_sealed')),
    headers: toStrings(open('headers_sealed')),
    signingSecret: open('signing_secret_sealed'),
    previousSigningSecret: open('previous_signing_secret_sealed'),
    token: tracker['token'] ?? null,
  };
}

/** Like `openChannel`, but returns null if a value can't be decrypted, for callers that show or update such channels. */
export function openChannelIfReadable(...args: Parameters<typeof openChannel>): ChannelSecrets | null {
  try {
    return openChannel(...args);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return null;
  }
}

function contextOf(organizationId: number, rowId: number, column: SealedChannelColumn): SecretContext {
  return { organizationId, table: 'notification_channels', rowId, column };
}

/** It was written by `sealChannelColumn`, and nobody else can write what opens. */
function toStrings(json: string | null): Record<string, string> {
  return json === null ? {} : (JSON.parse(json) as Record<string, string>);
}
