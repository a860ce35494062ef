import type { DeliveryErrorCode } from '../../../../domain/channels/delivery-codes.ts';

/** What came of one request or email. */
export interface SendAnswer {
  /** Of HTTP or SMTP. Null when there was no answer. */
  status: number | null;
  /** The first 4 KiB, with secrets masked; less where it was cut and a secret might begin. */
  body: string | null;
  retryAfter: string | null;
  durationMs: number;
  /** Null exactly when the target took the whole message. */
  error: { code: DeliveryErrorCode; message: string } | null;
  /** Of a success that needs an explanation. */
  reason?: DeliveryErrorCode | null;
  /** Of an email: the recipients that it reached with this attempt. */
  accepted?: readonly string[];
  /** Of an email: it has reached a recipient, with this attempt or an earlier one. */
  hasReached?: boolean;
}

export const maxStoredBytes = 4 * 1024;
