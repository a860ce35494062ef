import {
  formatSyslogMessage,
  frameSyslogMessage,
  type SyslogSource,
} from '../../domain/syslog/syslog-message.ts';
import type { SyslogTarget } from '../../domain/syslog/syslog-url.ts';
import { type OutboundClient, OutboundError, sendAndClose } from '../../platform/outbound/index.ts';
import type { ExportedEntry } from '../audit/index.ts';
import { deliveryErrorCodes, type SendResult } from '../notifications/index.ts';

/** Maximum message size that receivers accept by default. RFC 5424 and RFC 5425 recommend 8 KiB. */
const maxMessageBytes = 8 * 1024;

interface ExportOfEntries {
  organizationId: number;
  auditExportId: number;
  entries: readonly ExportedEntry[];
}

/**
 * Sends each entry as a message to a syslog receiver, over a single connection. Syslog has no
 * acknowledgments, so the entries count as received when the receiver has read all of them and closed the
 * connection.
 */
export async function sendSyslog(
  outbound: Pick<OutboundClient, 'connectPlain' | 'connectTls'>,
  { isTls, hostname, port }: SyslogTarget,
  { source, timeoutMs, ...content }: ExportOfEntries & { source: SyslogSource; timeoutMs: number },
): Promise<Pick<SendResult, 'retryAfter' | 'error'>> {
  const signal = AbortSignal.timeout(timeoutMs);
  const host = `${hostname}:${port}`;
  const data = content.entries
    .map((entry) => frameSyslogMessage(formatEntry(source, content, entry)))
    .join('');
  try {
    const connect = isTls ? outbound.connectTls : outbound.connectPlain;
    await sendAndClose(await connect({ hostname, port, signal }), data, { host, signal });
    return { retryAfter: null, error: null };
  } catch (error) {
    if (error instanceof OutboundError)
      return { retryAfter: null, error: { code: deliveryErrorCodes[error.code], message: error.message } };
    if (!signal.aborted) throw error;
    const message = `${host}: the receiver didn't close the connection within ${timeoutMs / 1_000} s, so it's unknown whether it read all entries`;
    return { retryAfter: null, error: { code: 'timeout', message } };
  }
}

/** Formats an entry and limits its size. Receivers truncate longer messages, which then aren't valid JSON. */
export function formatEntry(
  source: SyslogSource,
  { organizationId, auditExportId }: Omit<ExportOfEntries, 'entries'>,
  entry: ExportedEntry,
): string {
  const format = (shown: object) =>
    formatSyslogMessage(source, {
      timestamp: entry.created_at,
      messageId: entry.action,
      body: { organization_id: organizationId, audit_export_id: auditExportId, ...shown },
    });
  const whole = format({ is_shortened: false, entry });
  return whole.length <= maxMessageBytes
    ? whole
    : format({ is_shortened: true, entry: { ...entry, detail: null, changes: [] } });
}
