/** Destination of a channel's messages, and the platform that they are formatted for. */
export interface ChannelTarget {
  url: string;
  preset: string;
}

/** Secrets that a channel stores. The API never returns their values. */
export interface StoredChannelSecrets {
  headerNames: readonly string[];
  hasClosingPath: boolean;
  hasPresetOptions: boolean;
  hasSigningSecret: boolean;
  hasToken: boolean;
}

/** Write-only fields of a request. A missing field keeps the stored value. */
export interface RequestedChannelSecrets {
  /** `null` keeps the stored value of a header. */
  headers?: Readonly<Record<string, string | null>> | undefined;
  closing_path?: string | null | undefined;
  preset_options?: Readonly<Record<string, string>> | undefined;
  signing_secret?: string | null | undefined;
  token?: string | null | undefined;
}

/** Returns scheme, host, and port as a browser compares them, or `null` for an invalid URL. */
export function originOf(url: string): string | null {
  return URL.parse(url.trim())?.origin ?? null;
}

/** Returns the difference between two targets. A new origin takes precedence over a new preset. */
export function targetChange(before: ChannelTarget, after: ChannelTarget): 'origin' | 'preset' | null {
  if (originOf(before.url) !== originOf(after.url)) return 'origin';
  return before.preset === after.preset ? null : 'preset';
}

/**
 * Returns the stored secrets that a request omits although it changes the target of the channel. The request
 * must set or remove each of them. Otherwise, anyone who can edit a channel could have its secrets sent to a
 * host of their choice.
 */
export function secretsToReenter(
  stored: StoredChannelSecrets,
  { headers, closing_path, preset_options, signing_secret, token }: RequestedChannelSecrets,
): string[] {
  const keptHeaders =
    headers === undefined
      ? stored.headerNames
      : Object.keys(headers).filter((name) => headers[name] === null && isStored(stored, name));
  return [
    ...keptHeaders.map((name) => `headers.${name}`),
    ...(stored.hasClosingPath && closing_path === undefined ? ['closing_path'] : []),
    ...(stored.hasPresetOptions && preset_options === undefined ? ['preset_options'] : []),
    ...(stored.hasSigningSecret && signing_secret === undefined ? ['signing_secret'] : []),
    ...(stored.hasToken && token === undefined ? ['token'] : []),
  ];
}

/** Compares header names without regard to case. */
function isStored({ headerNames }: StoredChannelSecrets, name: string): boolean {
  return headerNames.some((stored) => stored.toLowerCase() === name.toLowerCase());
}
