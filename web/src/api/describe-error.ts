import { ApiCallError } from './session.ts';

export interface ErrorInWords {
  title: string;
  detail: string;
  /** To be named when asking for help. */
  requestId: string | null;
}

const titles: Partial<Record<ApiCallError['code'], string>> = {
  no_answer: 'The server does not answer',
  no_api: 'Something else answered',
  unavailable: 'The server is not ready',
  rate_limited: 'Too many requests',
  forbidden: 'Your role does not allow this',
  not_found: 'Not found',
  validation_failed: 'Something is not right yet',
  conflict: 'Not possible as things stand',
  in_use: 'Still in use',
  internal: 'The server failed',
};

/** What a person is told of a failure. */
export function describeError(error: unknown): ErrorInWords {
  if (error instanceof ApiCallError) {
    return {
      title: titles[error.code] ?? error.body?.title ?? 'That did not work',
      detail: error.detail,
      requestId: error.requestId,
    };
  }
  return {
    title: 'The page failed',
    detail: error instanceof Error ? error.message : String(error),
    requestId: null,
  };
}
