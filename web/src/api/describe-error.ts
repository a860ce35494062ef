import { ownValue } from '../../../src/domain/json/own-value.ts';
import { ApiCallError } from './session.ts';

export interface ErrorDescription {
  title: string;
  /** Details of the error. Empty if the title is sufficient. */
  detail: string;
  /** ID to include in a support request. Null for errors that the user can correct. */
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

/** Error for a form with invalid fields. The fields of the form show their own errors. */
export class InvalidFieldsError extends Error {
  readonly count: number;
  /** Errors of fields that aren't part of the form. */
  readonly elsewhere: ApiCallError['errors'];

  constructor(count: number, elsewhere: ApiCallError['errors'], cause: ApiCallError) {
    super(cause.detail, { cause });
    this.name = 'InvalidFieldsError';
    this.count = count;
    this.elsewhere = elsewhere;
  }
}

/**
 * Error for a form that wasn't sent because another part of the page must be completed first. The message is a sentence
 * for the user.
 */
export class IncompleteError extends Error {
  override name = 'IncompleteError';
}

/** Returns true if a change was rejected because the resource has a newer revision than the page. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiCallError && error.code === 'precondition_failed';
}

/** Returns the title and details of an error for the user. */
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
    // The detail of a failed login is sufficient, so use it as the title.
    if (error.code === 'unauthenticated')
      return { title: error.detail.replace(/\.$/, ''), detail: '', requestId };
    const title = ownValue(titles, error.code) ?? error.body?.title ?? 'Something went wrong';
    return { title, detail: withoutTitle(error.detail, error.body?.title ?? title), requestId };
  }
  return {
    title: 'This page failed to load',
    detail: error instanceof Error ? error.message : String(error),
    requestId: null,
  };
}

/** Returns true if only the server's log contains the cause. */
function isUnexpected({ status }: ApiCallError): boolean {
  return status === null || status >= 500;
}

/** Removes the title from the start of a detail. Errors without a specific message repeat the title there. */
function withoutTitle(detail: string, title: string): string {
  return detail.startsWith(title) ? detail.slice(title.length).trim() : detail;
}
