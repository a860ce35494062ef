import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createAccountsServer } from '../../../../tests/helpers/accounts-fixture.ts';
import { resetClockOffset, setClockOffset } from '../../../../tests/helpers/database.ts';
import { transaction } from '../../../platform/database/index.ts';
import { deleteOldFeedbackAcrossOrganizations } from './delete-old-feedback.ts';
import { listFeedbackAcrossOrganizations } from './feedback-queries.ts';

const { db, call, login, makeUser } = await createAccountsServer();
afterEach(() => resetClockOffset(db));

test('feedback is listed for the operator with its author and organization', async () => {
  const user = await makeUser('viewer');
  const { token } = await login(user);
  const give = (body: object) => call('POST /client/feedback', { token, body });
  const first = await give({ message: '  Please show the labels. ', category: 'idea', page: '/alerts' });
  expect(first).toMatchObject({
    status: 201,
    body: { id: expect.any(Number), created_at: expect.any(String) },
  });
  expect((await give({ message: 'Thanks!' })).status).toBe(201);
  for (const body of [
    {},
    { message: ' ' },
    { message: 'x'.repeat(5_001) },
    { message: 'x', category: 'praise' },
  ]) {
    expect((await give(body)).status, JSON.stringify(body).slice(0, 60)).toBe(400);
  }
  expect(await listFeedbackAcrossOrganizations(db, 10)).toMatchObject([
    { message: 'Thanks!', category: null, page: null },
    {
      message: 'Please show the labels.',
      category: 'idea',
      page: '/alerts',
      actor_name: 'A viewer',
      organization_name: 'Acme',
    },
  ]);
});

test('feedback is limited to 20 messages an hour per user', async () => {
  const user = await makeUser('viewer');
  const [{ token }, other] = [await login(user), await login(await makeUser('viewer', user.organizationId))];
  const give = (as: string) => call('POST /client/feedback', { token: as, body: { message: 'Thanks!' } });
  for (let count = 0; count < 20; count += 1) expect((await give(token)).status).toBe(201);
  expect(await give(token)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '600' },
    body: { code: 'rate_limited' },
  });
  expect((await give(other.token)).status).toBe(201);
  await setClockOffset(db, '1 hour');
  expect((await give((await login(user)).token)).status).toBe(201);
});

test('feedback that is older than a year is deleted in batches', async () => {
  await sql`DELETE FROM feedback`.execute(db);
  const give = async (message: string) => {
    const { token } = await login(await makeUser('viewer'));
    expect((await call('POST /client/feedback', { token, body: { message } })).status).toBe(201);
  };
  const clean = () => transaction(db, (tx) => deleteOldFeedbackAcrossOrganizations(tx, 2));
  for (const message of ['1', '2', '3']) await give(message);
  await setClockOffset(db, '10 days');
  await give('new');
  await setClockOffset(db, '364 days');
  expect(await clean()).toBe(0);
  await setClockOffset(db, '366 days');
  expect([await clean(), await clean(), await clean()]).toEqual([2, 1, 0]);
  expect(await listFeedbackAcrossOrganizations(db, 10)).toMatchObject([{ message: 'new' }]);
});
