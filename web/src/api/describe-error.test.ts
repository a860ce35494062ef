import { describe, expect, test } from 'vitest';
import { describeError } from './describe-error.ts';
import { ApiCallError } from './session.ts';

function failure(code: ApiCallError['code'], status: number, title: string, detail: string): ApiCallError {
  const body = { code, status, title, detail, request_id: 'r-1' } as ApiCallError['body'];
  return new ApiCallError(code, detail, { status, requestId: 'r-1', body });
}

describe('the description of a failure', () => {
  test.each([
    [
      failure('unauthenticated', 401, 'Authentication failed.', 'Wrong email or password.'),
      { title: 'Wrong email or password', detail: '', requestId: null },
    ],
    [
      failure('not_found', 404, 'Not found.', 'Not found. Check the ID.'),
      { title: 'Not found', detail: 'Check the ID.', requestId: null },
    ],
    [
      failure('conflict', 409, "The resource's current state doesn't allow this.", 'The job is manual.'),
      { title: "Can't do that right now", detail: 'The job is manual.', requestId: null },
    ],
    [
      failure('internal', 500, 'Internal server error.', 'Internal server error. Try again.'),
      { title: 'Server error', detail: 'Try again.', requestId: 'r-1' },
    ],
  ])('contains each message only once, in the title or in the details: %s', (error, described) => {
    expect(describeError(error)).toEqual(described);
  });
});
