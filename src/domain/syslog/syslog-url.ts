export interface SyslogTarget {
  isTls: boolean;
  /** Host name as in a URL: lowercase, with IPv6 addresses in brackets. */
  hostname: string;
  port: number;
}

const tlsPort = 6514;

/** True if the text looks like the URL of a syslog receiver, even if the URL isn't valid. */
export function isSyslogUrl(text: string): boolean {
  return /^syslog/i.test(text);
}

/**
 * Parses `syslog+tls://host:port` or `syslog+tcp://host:port`. Plain TCP has no default port, so the URL must
 * include one.
 *
 * @returns `null` for any other text.
 */
export function parseSyslogUrl(text: string): SyslogTarget | null {
  const [, scheme = '', authority = ''] = /^syslog\+(tls|tcp):\/\/([^\s/?#@\\]+)\/?$/i.exec(text) ?? [];
  // `URL` normalizes host names only for schemes such as http and https, but removes the scheme's default
  // port. Parse the text with both schemes, so that at least one of the results contains the port.
  const [http, https] = ['http', 'https'].map((known) => URL.parse(`${known}://${authority}/`));
  if (!http || !https || http.hostname === '') return null;
  const isTls = scheme.toLowerCase() === 'tls';
  const port = Number(http.port || https.port || (isTls ? tlsPort : 0));
  return port === 0 ? null : { isTls, hostname: http.hostname, port };
}

export function formatSyslogUrl({ isTls, hostname, port }: SyslogTarget): string {
  return `syslog+${isTls ? 'tls' : 'tcp'}://${hostname}:${port}`;
}
