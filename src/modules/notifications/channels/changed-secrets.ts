import type { Edit } from '../../audit/index.ts';
import type { ChannelSecrets } from '../deliveries/secrets/channel-secrets.ts';
import { maskedPath, maskUrl } from './webhook-url.ts';

/**
 * Lists the secrets of a channel that an edit changed, for the audit log. The list contains no secret values, only
 * hosts and header names.
 */
export function listChangedSecrets(
  before: ChannelSecrets,
  after: ChannelSecrets,
): NonNullable<Edit['secrets']> {
  const url = ({ url }: ChannelSecrets) => (url === '' ? null : maskUrl(url));
  const path = ({ closingPath }: ChannelSecrets) => (closingPath === null ? null : maskedPath);
  const names = ({ headers }: ChannelSecrets) => Object.keys(headers);
  const hidden = { from: null, to: null };
  return {
    ...(before.url !== after.url && { url: { from: url(before), to: url(after) } }),
    ...(before.closingPath !== after.closingPath && {
      closing_path: { from: path(before), to: path(after) },
    }),
    ...(isDifferent(before.headers, after.headers) && { headers: { from: names(before), to: names(after) } }),
    ...(isDifferent(before.presetOptions, after.presetOptions) && { preset_options: hidden }),
    ...(before.token !== after.token && { token: hidden }),
    ...(before.signingSecret !== after.signingSecret && { signing_secret: hidden }),
  };
}

export function isDifferent(before: object, after: object): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
