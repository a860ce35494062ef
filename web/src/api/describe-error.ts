import { ApiCallError } from './session.ts';

export interface ErrorDescription {
  title: string;
  detail: string;
  /** To be named when asking for help. */
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
  if (error instanceof ApiCallError) {
    return {
      title: titles[error.code] ?? error.body?.title ?? 'Something went wrong',
      detail: error.detail,
      requestId: error.requestId,
    };
  }
  return {
    title: 'This page failed to load',
    detail: error instanceof Error ? error.message : String(error),
    requestId: null,
  };
}
