/** Dates in the contract of an operation that is deprecated, such as `2027-03-01`. */
export interface Deprecation {
  since: string;
  sunset: string;
}

interface DescribedOperation {
  operationId: string;
  deprecated?: boolean;
  'x-deprecated-since'?: string;
  'x-sunset'?: string;
}

/** Minimum notice period before an operation is removed. It's part of the stability promise in docs/api.md. */
const noticeMonths = 12;

/**
 * Returns the dates of a deprecated operation, or `null` if it isn't deprecated.
 *
 * @throws Error if the contract lacks a date, or if the dates break the stability promise
 */
export function readDeprecation(operation: DescribedOperation): Deprecation | null {
  const { operationId, deprecated = false, 'x-deprecated-since': since, 'x-sunset': sunset } = operation;
  if (!deprecated && since === undefined && sunset === undefined) return null;
  if (!deprecated || !isDate(since) || !isDate(sunset))
    throw new Error(
      `${operationId} requires deprecated: true, x-deprecated-since, and x-sunset together; dates such as 2027-03-01`,
    );
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + noticeMonths);
  if (new Date(sunset) < earliest)
    throw new Error(
      `${operationId} has an x-sunset earlier than ${noticeMonths} months after x-deprecated-since`,
    );
  return { since, sunset };
}

/** Returns the headers that announce a deprecation, as RFC 9745 (a structured date) and RFC 8594 (an HTTP date) define. */
export function deprecationHeaders({ since, sunset }: Deprecation): { deprecation: string; sunset: string } {
  return {
    deprecation: `@${Date.parse(since) / 1_000}`,
    sunset: new Date(sunset).toUTCString(),
  };
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
