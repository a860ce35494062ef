/** Where the messages of a channel go, and which platform they are written for. */
export interface ChannelTarget {
  url: string;
  preset: string;
}

/** What a channel stores and never returns. */
export interface StoredChannelSecrets {
  headerNames: readonly string[];
  hasPresetOptions: boolean;
  hasSigningSecret: boolean;
  hasToken: boolean;
}

/** The write-only fields of a request. Without a value they keep what is stored. */
export interface GivenChannelSecrets {
  /** Null keeps the stored value of a header. */
  headers?: Readonly<Record<string, string | null>> | undefined;
  preset_options?: Readonly<Record<string, string>> | undefined;
  signing_secret?: string | null | undefined;
  token?: string | null | undefined;
}

/** Scheme, host, and port as a browser compares them. Null for a text that is no URL. */
export function originOf(url: string): string | null {
  return URL.parse(url.trim())?.origin ?? null;
}

/** What differs between two targets. A new origin matters more than a new preset. */
export function targetChange(before: ChannelTarget, after: ChannelTarget): 'origin' | 'preset' | null {
  if (originOf(before.url) !== originOf(after.url)) return 'origin';
  return before.preset === after.preset ? null : 'preset';
}

/**
 * The fields that a request must name because its channel gets another target: each with a new value, or removed.
 * Without this, anyone who can edit a channel could have its secrets sent to a host of their choice.
 */
export function secretsToEnterAgain(
  stored: StoredChannelSecrets,
  { headers, preset_options, signing_secret, token }: GivenChannelSecrets,
): string[] {
  const keptHeaders =
    headers === undefined
      ? stored.headerNames
      : Object.keys(headers).filter((name) => headers[name] === null && isStored(stored, name));
  return [
    ...keptHeaders.map((name) => `headers.${name}`),
    ...(stored.hasPresetOptions && preset_options === undefined ? ['preset_options'] : []),
    ...(stored.hasSigningSecret && signing_secret === undefined ? ['signing_secret'] : []),
    ...(stored.hasToken && token === undefined ? ['token'] : []),
  ];
}

/** Names of headers have no case. */
function isStored({ headerNames }: StoredChannelSecrets, name: string): boolean {
  return headerNames.some((stored) => stored.toLowerCase() === name.toLowerCase());
}
