/** The sender of a message. */
export interface SyslogSource {
  /** Host that sends the message. */
  hostname: string;
  software: string;
  version: string;
}

export interface SyslogContent {
  /** Timestamp in the format of RFC 3339. */
  timestamp: string;
  /** Type of the message. */
  messageId: string;
  /** Content, sent as JSON. */
  body: unknown;
}

/** Priority for the facility "log audit" and the severity "informational". */
const priority = 13 * 8 + 6;

/**
 * Formats a message according to RFC 5424. The message contains only printable ASCII characters, because receivers
 * differ in how they handle line breaks, control characters, and the byte order mark that UTF-8 would require. JSON can
 * escape all other characters.
 *
 * The structured data is the registered element `origin`, because a custom element would require an enterprise number.
 */
export function formatSyslogMessage(
  { hostname, software, version }: SyslogSource,
  { timestamp, messageId, body }: SyslogContent,
): string {
  const origin = structuredData('origin', {
    software: software.slice(0, 48),
    swVersion: version.slice(0, 32),
  });
  const head = [
    `<${priority}>1`,
    timestamp,
    headerField(hostname, 255),
    headerField(software.toLowerCase(), 48),
    '-',
    headerField(messageId, 32),
    origin,
  ];
  return `${head.join(' ')} ${asciiJson(body)}`;
}

/**
 * Prepends the length to a message (octet counting, RFC 5425 and RFC 6587).
 * @param message ASCII text, so that each character is one octet.
 */
export function frameSyslogMessage(message: string): string {
  return `${message.length} ${message}`;
}

/** Converts text to printable ASCII without spaces. Returns `-` for empty text, as RFC 5424 requires. */
export function headerField(text: string, maxLength: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, maxLength) || '-';
}

/** Formats a structured data element. The values of its parameters can be any text. */
export function structuredData(id: string, parameters: Readonly<Record<string, string>>): string {
  const list = Object.entries(parameters).map(
    ([name, value]) => `${name}="${value.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/["\\\]]/g, '\\$&')}"`,
  );
  return `[${[id, ...list].join(' ')}]`;
}

/** Returns JSON in which all characters other than printable ASCII are escaped. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
