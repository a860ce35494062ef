import { ApiCallError } from './session.ts';

export interface ErrorDescription {
  title: string;
  /** Empty if the title says it all. */
  detail: string;
  /** To be named when asking for help. Null for faults that a person can correct. */
  requestId: string | null;
}

const titles: Partial<Record<ApiCallError['code'], string>> = {
  no_answer: "Can't reach the server",
  no_api: 'Unexpected response',
  unavailable: 'Server unavailable',
  rate_limited: 'Too many requests',
  forbidden: 'Permission denied',
  not_found: 'Not found',
  validation_failed: 'Some fields need attention',
  conflict: "Can't do that right now",
  in_use: 'Still in use',
  internal: 'Server error',
};

/** Fields of a form that aren't valid, of which some show their own error. */
export class InvalidFieldsError extends Error {
  readonly count: number;
  /** Errors of fields that the form doesn't have. */
  readonly elsewhere: ApiCallError['errors'];

  constructor(count: number, elsewhere: ApiCallError['errors'], cause: ApiCallError) {
    super(cause.detail, { cause });
    this.name = 'InvalidFieldsError';
    this.count = count;
    this.elsewhere = elsewhere;
  }
}

/** Why a form wasn't sent: something else on the page must be completed first. The message is a sentence for the user. */
export class IncompleteError extends Error {
  override name = 'IncompleteError';
}

/** Whether a change was rejected because the resource has a newer revision than the page. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === 'precondition_failed';
}

/** What a person is told of a failure. */
export function describeError(error: unknown): ErrorDescription {
  if (isOutdated(error)) {
    return {
      title: 'Changed by someone else',
      detail:
        "Someone else changed this after you opened it, so your changes weren't saved. Reload to see the latest version.",
      requestId: null,
    };
  }
  if (error instanceof InvalidFieldsError) {
    return {
      title: error.count === 1 ? "1 field isn't valid" : `${error.count} fields aren't valid`,
      detail: error.elsewhere.map(({ field, message }) => `${field}: ${message}`).join('\n'),
      requestId: null,
    };
  }
  if (error instanceof IncompleteError) return { title: error.message, detail: '', requestId: null };
  if (error instanceof ApiCallError) {
    const requestId = isUnexpected(error) ? error.requestId : null;
    // The detail of a failed login says it all.
    if (error.code === 'unauthenticated')
      return { title: error.detail.replace(/\.$/, ''), detail: '', requestId };
    const title = titles[error.code] ?? error.body?.title ?? 'Something went wrong';
    return { title, detail: withoutTitle(error.detail, error.body?.title ?? title), requestId };
  }
  return {
    title: 'This page failed to load',
    detail: error instanceof Error ? error.message : String(error),
    requestId: null,
  };
}

/** Whether only the server's log says what happened. */
function isUnexpected({ status }: ApiCallError): boolean {
  return status === null || status >= 500;
}

/** Details without a message of their own begin with the title. */
function withoutTitle(detail: string, title: string): string {
  return detail.startsWith(title) ? detail.slice(title.length).trim() : detail;
}
